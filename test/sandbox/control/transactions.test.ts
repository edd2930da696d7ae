import { describe, expect, test } from "vitest";
import { openSandbox } from "../support/control.ts";
import { aCardPayment, aGuidePix, aPix } from "../support/wire.ts";

describe("GET transactions", () => {
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
      total: 3,
      hasMore: false,
      transactions: [
        { id: card + 1, status: "pending", paymentMethod: "pix", ...shared },
        { id: card, status: "approved", paymentMethod: "credit_card", externalId: "order-1", ...shared },
        { id: pix, status: "pending", paymentMethod: "pix", externalId: "order-1", ...shared },
      ],
    });
  });

  test("pages with before and limit, and reports whether older transactions exist", async () => {
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

  test.each([
    ["q=order-7", [1]],
    ["q=BIA loja", [2]],
    ["status=approved", [2]],
    ["method=pix&q=exemplo", [1, 0]],
    ["method=pix&limit=1", [1]],
  ])("with '%s' finds the transactions %j", async (query, expected) => {
    const { control, create, token, aPixId, gateway } = await openSandbox();
    const first = await aPixId();
    await aPixId({ externalRef: "order-7" });
    const customer = { ...(aPix()["customer"] as object), name: "Bia Exemplo" };
    await create(aCardPayment(await token(), { customer }));

    const { body } = await control("GET", `transactions?${query.replace(" ", "%20")}`);

    expect(body.transactions.map(({ id }: { id: number }) => id - first)).toEqual(expected);
    expect(gateway.transactions).toHaveLength(3);
  });

  test.each(["limit=ten", "limit=-1", "limit=", "before=1e3"])("with %s returns 400", async (query) => {
    const { control } = await openSandbox();

    const { status, body } = await control("GET", `transactions?${query}`);

    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      message: `${query.split("=")[0]} must be a whole number.`,
    });
  });
});

describe("GET transactions/<id>", () => {
  test("returns the transaction, its possible moves, and its postbacks, newest first", async () => {
    const { control, aPixId, gateway } = await openSandbox();
    const id = await aPixId();
    const newest = await aPixId();
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
    const latest = await control("GET", "transactions/latest");
    expect([latest.body.transaction.id, latest.body.moves]).toEqual([newest, ["pay", "expire", "cancel"]]);
  });

  test.each(["latest", "1", "%00", "%zz", "1e3"])("of %s does not exist and returns 404", async (id) => {
    const { control } = await openSandbox();

    const { status, body } = await control("GET", `transactions/${id}`);

    expect(status).toBe(404);
    expect(body).toEqual({
      success: false,
      message: expect.stringMatching(/^There is no transaction .+\.$/s),
    });
  });
});

describe("POST transactions/<id>/<move>", () => {
  test.each<[move: string, body: unknown, status: string, refunded: number]>([
    ["chargeback", undefined, "chargedback", 0],
    ["refund", undefined, "refunded", 1990],
    ["refund", {}, "refunded", 1990],
    ["refund", { amount: 490 }, "approved", 490],
  ])(
    "%s of a card with the body %j makes it %s, with %i cents refunded",
    async (move, body, status, cents) => {
      const { control, aCardId } = await openSandbox();
      await aCardId();

      const response = await control("POST", `transactions/latest/${move}`, body);

      expect(response.status).toBe(200);
      expect(response.body.transaction).toMatchObject({ status, refundedAmount: cents });
    },
  );

  test.each<[string, unknown, number, RegExp]>([
    ["refund", { amount: 0 }, 400, /whole number of cents/],
    ["refund", { amount: "490" }, 400, /amount must be a number of cents/],
    ["refund", { amount: null }, 400, /amount must be a number of cents/],
    ["refund", { cents: 490 }, 400, /Unknown field cents; known fields: amount/],
    ["refund", { amount: 1991 }, 409, /at most 1990 cents can be refunded/],
    ["pay", undefined, 409, /cannot pay: it is approved/],
    ["expire", undefined, 409, /cannot expire: this move is for a pix only/],
  ])("%s of an approved card with %j returns %i and changes nothing", async (move, sent, status, message) => {
    const { control, aCardId, gateway } = await openSandbox();
    await aCardId();
    const before = gateway.transactions;

    const response = await control("POST", `transactions/latest/${move}`, sent);

    expect(response.status).toBe(status);
    expect(response.body).toEqual({ success: false, message: expect.stringMatching(message) });
    expect(gateway.transactions).toEqual(before);
  });
});

describe("GET charges", () => {
  test("returns the charges of a reference, which can contain any character", async () => {
    const { control, aPixId } = await openSandbox();
    const id = await aPixId({ externalRef: "pedido 1/2&é" });
    await aPixId({ externalRef: "another" });

    const { body } = await control("GET", `charges?externalRef=${encodeURIComponent("pedido 1/2&é")}`);

    expect(body.charges.map((charge: { id: number }) => charge.id)).toEqual([id]);
  });

  test("without a reference returns 400", async () => {
    const { control } = await openSandbox();

    const message = "The query parameter externalRef is required.";
    expect(await control("GET", "charges")).toMatchObject({ status: 400, body: { success: false, message } });
  });
});
