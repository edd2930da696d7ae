import { describe, expect, test } from "vitest";
import { NOON, openSandbox } from "../support/control.ts";
import { aCardPayment, aPix } from "../support/wire.ts";

test("GET overview tells where it is, its keys, its company and its time", async () => {
  const { control, baseUrl } = await openSandbox({ secretKey: "sk_mine", publicKey: "pk_mine" });

  const { status, headers, body } = await control("GET", "overview");

  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(body).toEqual({
    baseUrl,
    secretKey: "sk_mine",
    publicKey: "pk_mine",
    companyName: "Loja Exemplo",
    now: "2026-12-04T12:00:00.000Z",
  });
});

test("POST inbox takes anything", async () => {
  const { control } = await openSandbox();

  const answers = [await control("POST", "inbox", { id: 1 }), await control("POST", "inbox", "no JSON")];

  expect(answers).toMatchObject([{ status: 204 }, { status: 204 }]);
});

describe("POST clock", () => {
  test("moves the time, and what falls due happens", async () => {
    const { control, create, gateway } = await openSandbox();
    await create(aPix({ pix: { expiresInDays: 1 } }));

    const { status, body } = await control("POST", "clock", { advanceMs: 86_400_000 });

    expect([status, body]).toEqual([200, { now: "2026-12-05T12:00:00.000Z" }]);
    expect(gateway.transactions).toMatchObject([{ status: "expired" }]);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^advanceMs must be a number\.$/],
    [{ advanceMs: "1000" }, /^advanceMs must be a number\.$/],
    [{ advanceMs: -1 }, /0 ms or more/],
    [{ advanceMs: 1e15 }, /year 9999/],
    [{ advance: 1000 }, /^advance is no field; known: advanceMs\.$/],
    ["[", /^The body must be a JSON object\.$/],
  ])("with %j is a 400, and time stands still", async (sent, message) => {
    const { control, gateway } = await openSandbox();

    const { status, body } = await control("POST", "clock", sent);

    expect([status, body]).toEqual([400, { success: false, message: expect.stringMatching(message) }]);
    expect(gateway.clock.now()).toBe(NOON);
  });
});

describe("checkout/<secureId>", () => {
  test("tells a buyer what is to be paid, and nothing else", async () => {
    const { control, create, gateway } = await openSandbox();
    await create(aPix());
    const { id, pix, secureId } = gateway.transactions[0] ?? {};

    const { status, body } = await control("GET", `checkout/${secureId}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      companyName: "Loja Exemplo",
      customerName: "Ana Exemplo",
      refundedAmount: 0,
      id,
      status: "pending",
      paymentMethod: "pix",
      amount: 1990,
      externalId: "order-1",
      pix,
    });
  });

  test("lets it be paid, once", async () => {
    const { control, create, gateway } = await openSandbox();
    await create(aPix());
    const path = `checkout/${gateway.transactions[0]?.secureId}/pay`;

    const [first, second] = [await control("POST", path), await control("POST", path)];

    expect(first).toMatchObject({ status: 200, body: { status: "approved", amount: 1990 } });
    expect(second).toMatchObject({ status: 409, body: { success: false } });
    expect(gateway.transactions).toMatchObject([{ status: "approved", paidAmount: 1990 }]);
  });

  test("of a refused card tells why", async () => {
    const { control, create, token, gateway } = await openSandbox();
    await create(aCardPayment(await token(), { amount: 99 })); // below the company's limits

    const { body } = await control("GET", `checkout/${gateway.transactions[0]?.secureId}`);

    expect(body).toMatchObject({ status: "refused", refusedReason: expect.stringMatching(/limits/) });
    expect(body).not.toHaveProperty("pix");
  });

  test.each([
    ["GET", "checkout/none"],
    ["POST", "checkout/none/pay"],
    ["GET", "checkout/"],
  ])("%s %s, which there is not, is a 404", async (method, path) => {
    const { control } = await openSandbox();

    const { status, body } = await control(method, path);

    expect([status, body]).toEqual([404, { success: false, message: "There is no such checkout." }]);
  });
});
