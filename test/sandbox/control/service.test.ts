import { describe, expect, test } from "vitest";
import { openSandbox } from "../support/control.ts";
import { aPix, NOON } from "../support/wire.ts";

test("GET overview returns the base URL, the keys, the company and the time", async () => {
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

describe("POST clock", () => {
  test("advances the clock, and what becomes due happens", async () => {
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
    ["[", /^The body must be a JSON object\.$/],
    ["null", /^The body must be a JSON object\.$/],
  ])("with %j returns 400, and the time does not change", async (sent, message) => {
    const { control, gateway } = await openSandbox();

    const { status, body } = await control("POST", "clock", sent);

    expect([status, body]).toEqual([400, { success: false, message: expect.stringMatching(message) }]);
    expect(gateway.clock.now()).toBe(NOON);
  });
});

describe("checkout/<secureId>", () => {
  test("returns only what the customer needs to see", async () => {
    const { control, create, gateway } = await openSandbox();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
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
      now: "2026-12-04T12:00:00.000Z",
    });
  });

  test("can be paid once", async () => {
    const { control, create, gateway } = await openSandbox();
    await create(aPix());
    const path = `checkout/${gateway.transactions[0]?.secureId}/pay`;

    const [first, second] = [await control("POST", path), await control("POST", path)];

    expect(first).toMatchObject({ status: 200, body: { status: "approved", amount: 1990 } });
    expect(second).toMatchObject({ status: 409, body: { success: false } });
    expect(gateway.transactions).toMatchObject([{ status: "approved", paidAmount: 1990 }]);
  });

  test.each([
    ["GET", "checkout/none"],
    ["POST", "checkout/none/pay"],
  ])("%s %s does not exist and returns 404", async (method, path) => {
    const { control } = await openSandbox();

    const { status, body } = await control(method, path);

    expect([status, body]).toEqual([404, { success: false, message: "This checkout does not exist." }]);
  });
});

describe("deliveries", () => {
  test.each(["2", "0", "1.5"])("%s does not exist and returns 404", async (id) => {
    const { control, gateway, aPixId } = await openSandbox();
    gateway.pay(await aPixId());

    const { status, body } = await control("POST", `deliveries/${id}/resend`);

    expect([status, body]).toEqual([404, { success: false, message: `There is no postback ${id}.` }]);
  });

  test("can be sent to the inbox of the sandbox, which accepts everything", async () => {
    const { control, baseUrl, gateway, aPixId } = await openSandbox({ postbacks: {} });
    const id = await aPixId({ postbackUrl: `${baseUrl}/sandbox/inbox` });

    const { status, body } = await control("POST", `transactions/${id}/postback`);
    await gateway.settled();

    expect(status).toBe(200);
    expect(body.deliveries).toMatchObject([{ transactionId: id, body: { status: "pending" } }]);
    expect(gateway.deliveries).toMatchObject([{ status: "delivered", attempts: [{ status: 204 }] }]);
  });
});
