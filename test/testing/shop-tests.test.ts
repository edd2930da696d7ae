import { createServer } from "node:http";
import { type Shop, type ShopService, type ShopTestsOptions, shopTests } from "payments-sdk/testing";
import { describe, expect, test, vi } from "vitest";
import { RightShop, startShop } from "./support/shop.ts";

const startRightShop = (service: ShopService) => startShop(RightShop, service);

describe("a right shop passes", () => {
  for (const { name, run } of shopTests({ start: startRightShop, timeoutMs: 10_000 })) {
    test.concurrent(name, run);
  }
});

/** An adapter of the right shop, with its own mistakes. */
function rehearse(rule: string, changes: Partial<Shop>, options: Partial<ShopTestsOptions> = {}) {
  const stop = vi.fn();
  const start = async (service: ShopService): Promise<Shop> => {
    const shop = await startRightShop(service);
    stop.mockImplementation(() => shop.stop());
    return {
      ...{ pay: shop.pay.bind(shop), view: shop.view.bind(shop), shipped: shop.shipped.bind(shop) },
      ...{ stop, ...changes },
    };
  };
  const found = shopTests({ start, ...options }).find(({ name }) => name === rule);
  return { stop, run: found?.run ?? (() => Promise.reject(new Error(`There is no rule "${rule}".`))) };
}

const PIX = "a pix is shipped once after it is paid";

test.each<[string, Partial<Shop>, string]>([
  ["pay() rejects", { pay: () => Promise.reject(new Error("no route")) }, "pay() rejected: Error: no route"],
  [
    "pay() returns no view",
    { pay: async () => undefined as never },
    "pay() resolved with undefined, which is not a view: charged 0",
  ],
  [
    "nothing reaches the service",
    { pay: async () => "code" },
    "The service has no pix over the amount of the order",
  ],
  [
    "shipped() counts in text",
    { shipped: () => "1" as never },
    "shipped() resolved with string 1, which is not a whole number",
  ],
  [
    "shipped() rejects",
    { shipped: () => Promise.reject(new Error("no table")) },
    "shipped() rejected: Error: no table",
  ],
])(
  "if %s, the failure names the rule and says so, and the shop is stopped",
  async (_what, changes, problem) => {
    const { stop, run } = rehearse(PIX, changes, { timeoutMs: 2_000 });

    const error: unknown = await run().catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: "ERR_ASSERTION", message: expect.stringContaining(PIX) });
    expect(String(error)).toContain(problem);
    expect(stop).toHaveBeenCalledTimes(1);
  },
);

test.each<[string, Partial<Shop>]>([
  ["pay()", { pay: () => new Promise(() => {}) }],
  ["shipped()", { shipped: () => new Promise(() => {}) }],
])("a call that hangs ends after timeoutMs: %s", async (call, changes) => {
  const { run } = rehearse(PIX, changes, { timeoutMs: 300 });

  await expect(run()).rejects.toThrow(`${call} did not resolve within 300 ms (timeoutMs)`);
});

test("if nothing responds to the postbacks, or with an error, the failure says so", async () => {
  const elsewhere = (postbackUrl: string) =>
    class extends RightShop {
      override createClient() {
        return super.createClient(postbackUrl);
      }
    };
  const notFound = createServer((_request, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  await vi.waitFor(() => expect(notFound.listening).toBe(true));
  const { port } = notFound.address() as { port: number };
  const failureOf = async (postbackUrl: string) => {
    const start = (service: ShopService) => startShop(elsewhere(postbackUrl), service);
    const found = shopTests({ start, timeoutMs: 1_000 }).find(({ name }) => name === PIX);
    return String(await found?.run().catch((reason: unknown) => reason));
  };

  expect(await failureOf(`http://127.0.0.1:${port}/`)).toMatch(
    /not shipped: .* responded to the last postback with 404\.$/,
  );
  expect(await failureOf("http://127.0.0.1:2/")).toMatch(
    /The last postback got no response: ECONNREFUSED\.$/,
  );
  notFound.close();
});

test("a shop that ships without a charge over the amount of the order fails, and the failure names the other amount", async () => {
  class FloatShop extends RightShop {
    override async payByCard(params: Parameters<RightShop["payByCard"]>[0], hash: string) {
      await super.payByCard({ ...params, amount: Math.trunc((params.amount / 100) * 100) }, hash);
    }

    override async view(): Promise<"waiting"> {
      return "waiting";
    }
  }
  const tests = shopTests({ start: (service) => startShop(FloatShop, service) });
  const run = (rule: string) => tests.find(({ name }) => name.startsWith(rule))?.run();

  await expect(run("a card that is approved")).rejects.toThrow(
    /shipped without a payment: charged 0, shipped 1; .*\. The service has a transaction over \d+ cents, which no order has\.$/,
  );
  await expect(
    run("a payment that is returned is not shipped again, and not shown as paid: a refunded card"),
  ).rejects.toThrow();
});

test("the rules of a shop that cannot restart or fail on demand are skipped", async () => {
  const skip = vi.fn();

  await rehearse("a shop that restarts before a pix is paid, ships it once", {}).run({ skip });
  await rehearse(
    "an order whose payment the shop fails to record is shipped once after its postback: pix",
    {},
  ).run({ skip });

  expect(skip.mock.calls).toEqual([["The shop has no restart()."], ["The shop has no failOnce()."]]);
});

test.each([
  [{}, "start must be a function"],
  [{ start: startRightShop, timeoutMs: Number.NaN }, "timeoutMs"],
])("wrong options are refused", (options, problem) => {
  expect(() => shopTests(options as ShopTestsOptions)).toThrow(new RegExp(`^shopTests: .*${problem}`));
});
