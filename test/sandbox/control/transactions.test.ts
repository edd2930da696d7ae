import { describe, expect, test } from "vitest";
import { openSandbox } from "../support/control.ts";
import { aCardPayment, aGuidePix } from "../support/wire.ts";

describe("GET transactions", () => {
  test("lists nothing where there is nothing", async () => {
    const { control } = await openSandbox();

    expect((await control("GET", "transactions")).body).toEqual({ transactions: [], hasMore: false });
  });

  test("lists summaries, newest first", async () => {
    const { control, aPixId, aCardId, create } = await openSandbox();
    const [pix, card] = [await aPixId(), await aCardId()];
    await create(aGuidePix()); // without a reference

    const { status, body } = await control("GET", "transactions");

    expect(status).toBe(200);
    const shared = {
      amount: 1990,
      refundedAmount: 0,
      customerName: "Ana Exemplo",
      createdAt: "2026-12-04T12:00:00.000Z",
    };
    expect(body).toEqual({
      hasMore: false,
      transactions: [
        { id: card + 1, status: "pending", paymentMethod: "pix", ...shared },
        { id: card, status: "approved", paymentMethod: "credit_card", externalId: "order-1", ...shared },
        { id: pix, status: "pending", paymentMethod: "pix", externalId: "order-1", ...shared },
      ],
    });
  });

  test("gives pages by before and limit, and says whether there are older ones", async () => {
    const { control, aPixId } = await openSandbox();
    const first = await aPixId();
    for (let count = 1; count < 5; count += 1) await aPixId();
    const page = async (query: string) => {
      const { body } = await control("GET", `transactions?${query}`);
      return [body.transactions.map(({ id }: { id: number }) => id - first), body.hasMore];
    };

    expect(await page("limit=2")).toEqual([[4, 3], true]);
    expect(await page(`limit=2&before=${first + 3}`)).toEqual([[2, 1], true]);
    expect(await page(`limit=2&before=${first + 1}`)).toEqual([[0], false]);
    expect(await page(`before=${first}`)).toEqual([[], false]);
    expect(await page("limit=5")).toEqual([[4, 3, 2, 1, 0], false]);
    expect(await page("limit=0")).toEqual([[], true]);
  });

  test("gives 100 at most, and by itself", async () => {
    const { control, create, token } = await openSandbox();
    const hash = await token();
    await Promise.all(Array.from({ length: 101 }, () => create(aCardPayment(hash))));

    const pages = await Promise.all([
      control("GET", "transactions"),
      control("GET", "transactions?limit=1000"),
    ]);

    for (const { body } of pages) expect([body.transactions.length, body.hasMore]).toEqual([100, true]);
  });

  test.each(["limit=ten", "limit=-1", "limit=1.5", "limit=", "before=latest", "before=1e3"])(
    "with %s is a 400",
    async (query) => {
      const { control } = await openSandbox();

      const { status, body } = await control("GET", `transactions?${query}`);

      expect(status).toBe(400);
      expect(body).toEqual({
        success: false,
        message: `${query.split("=")[0]} must be a whole number.`,
      });
    },
  );
});

describe("GET transactions/<id>", () => {
  test("tells all of it, the moves of the moment, and its postbacks, newest first", async () => {
    const { control, aPixId, gateway } = await openSandbox();
    const id = await aPixId();
    await aPixId();
    gateway.pay(id);
    gateway.refund(id);
    await gateway.settled();

    const { status, body } = await control("GET", `transactions/${id}`);

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["transaction", "moves", "deliveries"]);
    expect(body.transaction).toEqual(JSON.parse(JSON.stringify(gateway.transactions[0])));
    expect(body.moves).toEqual([]);
    expect(body.deliveries.map((one: { body: { status: string } }) => one.body.status)).toEqual([
      "refunded",
      "approved",
    ]);
  });

  test("of latest is the newest one", async () => {
    const { control, aPixId } = await openSandbox();
    await aPixId();
    const id = await aPixId();

    const { body } = await control("GET", "transactions/latest");

    expect(body.transaction.id).toBe(id);
    expect(body.moves).toEqual(["pay", "expire", "cancel"]);
  });

  test.each(["latest", "1", "none", "%00", "%zz", "1e3"])(
    "of %s, where there is none, is a 404",
    async (id) => {
      const { control } = await openSandbox();

      const { status, body } = await control("GET", `transactions/${id}`);

      expect(status).toBe(404);
      expect(body).toEqual({
        success: false,
        message: expect.stringMatching(/^There is no transaction .+\.$/s),
      });
    },
  );
});

describe("GET charges", () => {
  test("are the charges of a reference, whatever is in it", async () => {
    const { control, aPixId } = await openSandbox();
    const id = await aPixId({ externalRef: "pedido 1/2&é" });
    await aPixId({ externalRef: "another" });

    const { body } = await control("GET", `charges?externalRef=${encodeURIComponent("pedido 1/2&é")}`);

    expect(body.charges.map((charge: { id: number }) => charge.id)).toEqual([id]);
  });

  test("of nothing are none; and without a reference there is no answer", async () => {
    const { control, aPixId } = await openSandbox();
    await aPixId();

    const [none, unasked] = [await control("GET", "charges?externalRef="), await control("GET", "charges")];

    expect(none).toMatchObject({ status: 200, body: { charges: [] } });
    expect(unasked).toMatchObject({ status: 400, body: { success: false, message: "Which externalRef?" } });
  });
});
