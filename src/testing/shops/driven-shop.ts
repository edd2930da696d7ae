import assert from "node:assert/strict";
import { within } from "../waiting.ts";
import type { Shop, ShopOrder, ShopView } from "./shop.ts";

const VIEWS: readonly unknown[] = ["code", "paid", "declined", "waiting", "error"] satisfies ShopView[];

export type DrivenShop = ReturnType<typeof driveShop>;

/** A shop whose calls have a time limit. A call that fails, or has an unusable result, is named in an `AssertionError`. */
export function driveShop(shop: Shop, timeoutMs: number) {
  assert(typeof shop?.pay === "function", "start() did not resolve with a shop");
  const call = <Result>(name: string, work: () => Result | Promise<Result>) =>
    within(timeoutMs, `${name}()`, work);

  async function check(name: string, showing: () => Promise<ShopView>): Promise<ShopView> {
    const view = await call(name, showing);
    assert(VIEWS.includes(view), `${name}() resolved with ${JSON.stringify(view)}, which is not a view`);
    return view;
  }

  return {
    /** Presses "pay". The page may load for ever: {@link pageOf} has a time limit. */
    click(order: ShopOrder): Promise<ShopView> {
      const page = (async () => shop.pay(order))();
      page.catch(() => undefined); // reported when the page is looked at
      return page;
    },
    /** What a page shows, once it has loaded. */
    pageOf: (page: Promise<ShopView>) => check("pay", () => page),
    view: (id: string) => check("view", () => shop.view(id)),
    async shipped(id: string): Promise<number> {
      const count: unknown = await call("shipped", () => shop.shipped(id));
      const isCount = Number.isSafeInteger(count) && Number(count) >= 0;
      assert(isCount, `shipped() resolved with ${typeof count} ${count}, which is not a whole number`);
      return Number(count);
    },
    restart: () => call("restart", () => shop.restart?.()),
    failOnce: () => call("failOnce", () => shop.failOnce?.()),
    stop: () => call("stop", () => shop.stop()),
  };
}
