import { type Shop, type ShopService, shopTests } from "payments-sdk/testing";
import { describe, expect, test, vi } from "vitest";
import { RightShop, startShop } from "./support/shop.ts";

describe("a right shop passes", () => {
  for (const { name, run } of shopTests({
    start: (service) => startShop(RightShop, service),
    timeoutMs: 10_000,
  })) {
    test.concurrent(name, run);
  }
});

/** Runs one rule with a right shop of which a part is replaced. */
function rehearse(rule: string, changes: Partial<Shop>, context?: { skip(reason: string): void }) {
  const stop = vi.fn();
  const start = async (service: ShopService): Promise<Shop> => {
    const shop = await startShop(RightShop, service);
    stop.mockImplementation(() => shop.stop());
    const own = {
      pay: shop.pay.bind(shop),
      view: shop.view.bind(shop),
      shipped: shop.shipped.bind(shop),
    };
    return { ...own, stop, ...changes };
  };
  const tests = shopTests({ start, timeoutMs: 200 });
  return { stop, result: tests.find(({ name }) => name === rule)?.run(context) };
}

const UNPAID = "a pix is not shipped while it is unpaid";

test.each<[string, Partial<Shop>, string]>([
  ["pay() hangs", { pay: () => new Promise(() => {}) }, "pay() did not resolve within 200 ms"],
  ["pay() rejects", { pay: () => Promise.reject(new Error("no route")) }, "pay() rejected: Error: no route"],
  [
    "view() throws",
    {
      view: () => {
        throw new Error("no route");
      },
    },
    "view() rejected: Error: no route",
  ],
  [
    "a view is unknown",
    { pay: async () => "pending" as "waiting" },
    'pay() resolved with "pending", which is not a view',
  ],
  [
    "nothing reaches the service",
    { pay: async () => "code" },
    "The service has no pix over the amount of the order",
  ],
])("if %s, the failure says so, and the shop is stopped", async (_what, changes, problem) => {
  const { stop, result } = rehearse(UNPAID, changes);

  await expect(result).rejects.toThrow(problem);
  expect(stop).toHaveBeenCalledTimes(1);
});

test("the rules of a shop that cannot restart or fail on demand are skipped", async () => {
  const skip = vi.fn();

  await rehearse("a shop that restarts before a pix is paid, ships it once", {}, { skip }).result;
  await rehearse(
    "an order whose payment the shop fails to record is shipped once after its postback: pix",
    {},
    { skip },
  ).result;

  expect(skip.mock.calls).toEqual([["The shop has no restart()."], ["The shop has no failOnce()."]]);
});
