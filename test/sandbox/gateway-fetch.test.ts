import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { aPix, basic, bodyOf, merchantOf } from "./support/wire.ts";

function aCreate() {
  const gateway = createGateway({ seed: 1 });
  const { baseUrl, secretKey, publicKey } = gateway;
  const url = `${baseUrl}/api/v1/transactions`;
  const init = { method: "POST", headers: basic(secretKey, publicKey), body: JSON.stringify(aPix()) };
  return { gateway, url, init };
}

describe("gateway.fetch does as fetch does", () => {
  test("what was given up before is not sent", async () => {
    const { gateway, url, init } = aCreate();
    const signal = AbortSignal.abort(new Error("given up"));

    const call = gateway.fetch(url, { ...init, signal });

    await expect(call).rejects.toThrow("given up");
    expect(gateway.transactions).toEqual([]);
  });

  test("what is given up on its way rejects, and may be done", async () => {
    const { gateway, url, init } = aCreate();
    const patience = new AbortController();

    const call = gateway.fetch(url, { ...init, signal: patience.signal });
    patience.abort(new Error("given up"));

    await expect(call).rejects.toThrow("given up");
    await vi.waitFor(() => expect(gateway.chargesFor("order-1")).toHaveLength(1), 10_000);
  });

  test("what stands beside a Request replaces what is in it", async () => {
    const { gateway, url, init } = aCreate();
    const anonymous = new Request(url, { ...init, headers: {} });

    const response = await gateway.fetch(anonymous, { headers: init.headers });

    expect(response.status).toBe(201);
  });

  test("a signal beside a Request ends a stalled call", async () => {
    const { gateway, url, init } = aCreate();
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });

    const call = gateway.fetch(new Request(url, init), { signal: AbortSignal.timeout(20) });

    await expect(call).rejects.toThrow(/timeout/i);
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });
});

describe("calls side by side", () => {
  test("make the same transactions and postbacks each time, in the order of the calls", async () => {
    async function course() {
      const postbacks = { onCreation: true, duplicates: 1, fetch: async () => new Response() };
      const gateway = createGateway({ seed: 1, now: 0, postbacks });
      const { create } = merchantOf(gateway);
      const amounts = Array.from({ length: 20 }, (_, nth) => 1000 + nth);
      const answers = await Promise.all(
        amounts.map(async (amount) => bodyOf(await create(aPix({ amount })))),
      );
      await gateway.settled();
      return { answers, deliveries: gateway.deliveries };
    }

    const [first, second] = [await course(), await course()];

    expect(second).toEqual(first);
    expect(first.deliveries.map(({ body }) => body.amount)).toEqual(
      Array.from({ length: 40 }, (_, nth) => 1000 + Math.floor(nth / 2)),
    );
  });

  test("a fault waits for one that is not turned away, whichever comes first", async () => {
    const gateway = createGateway();
    const { create } = merchantOf(gateway);
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });

    const answers = await Promise.all([create({}), create(aPix())]);

    expect(answers.map(({ status }) => status)).toEqual([400, 500]);
    expect(gateway.faults.armed).toEqual([]);
  });
});

test("a fault can be removed before it exists without a trace", async () => {
  const gateway = createGateway();
  const { create } = merchantOf(gateway);

  const removed = gateway.faults.remove(1);
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
  await create({});

  expect(removed).toBe(false);
  expect((await create(aPix())).status).toBe(500);
});

test("a postback that is sent by hand shows what the clock has brought by then", async () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date", "setTimeout", "clearTimeout"] });
  try {
    const gateway = createGateway({ postbacks: { fetch: async () => new Response() } });
    const { data } = await bodyOf(await merchantOf(gateway).create(aPix({ pix: { expiresInDays: 1 } })));
    vi.setSystemTime(86_400_000); // no timer has run

    gateway.sendPostback(data.id);
    gateway.resendPostback(1);

    expect(gateway.deliveries.map(({ body }) => body.status)).toEqual(["expired", "expired", "expired"]);
  } finally {
    vi.useRealTimers();
  }
});
