import { afterEach, describe, expect, test, vi } from "vitest";
import { isPlatformFetch } from "../../src/core/platform-fetch.ts";
import { closedBaseUrl } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";

const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

class Agent {
  dispatch() {
    return true;
  }
}
class RetryAgent extends Agent {}
class Dispatcher1Wrapper extends Agent {}
Object.assign(Dispatcher1Wrapper.prototype, { dispatch: () => true });

/** What a create ends as where nobody listens. */
async function outcomeOfRefusal() {
  const { payments } = merchantAt(await closedBaseUrl());
  return (await failureOf(payments.transactions.createPix(aPix()))).outcome;
}

const original: unknown = Reflect.get(globalThis, DISPATCHER);
afterEach(() => void Reflect.set(globalThis, DISPATCHER, original));

describe("a refused connection proves that nothing was sent", () => {
  test("by the platform's own fetch", async () => {
    expect(await outcomeOfRefusal()).toBe("not_sent");
  });

  test("but not by a fetch that a tool has put in its place, which may have sent before", async () => {
    const own = globalThis.fetch;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => own(url, init));

    expect(await outcomeOfRefusal()).toBe("unknown");
  });

  test("also through the wrapper in which Node 26 keeps its agent", () => {
    Reflect.set(globalThis, DISPATCHER, new Dispatcher1Wrapper());

    expect(isPlatformFetch()).toBe(true);
  });

  test.each<[string, object]>([
    ["that retries", new RetryAgent()],
    ["with interceptors in front of it", Object.assign(new Agent(), { dispatch: () => true })],
  ])("nor by a dispatcher %s", (_what, dispatcher) => {
    const before = isPlatformFetch();

    Reflect.set(globalThis, DISPATCHER, dispatcher);

    expect([before, isPlatformFetch()]).toEqual([true, false]);
  });
});
