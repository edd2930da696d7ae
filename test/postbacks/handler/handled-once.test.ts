import { join } from "node:path";
import { memoryStore, type PostbackStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { POSTBACK } from "../support/signing.ts";
import {
  type Answer,
  aGate,
  aReceiver,
  BUSY,
  DUPLICATE,
  FAILED,
  HANDLED,
  urlOf,
} from "./support/receiver.ts";

const KEY = {
  trust: "signed",
  externalRef: POSTBACK.externalRef,
  id: POSTBACK.id,
  rawStatus: "approved",
  amount: POSTBACK.amount,
} as const;

describe("onPostback succeeds once for each", () => {
  test.each([
    ["transaction", { id: 81_002 }],
    ["status, as it is spelled", { status: "PAID" }],
    ["amount", { amount: 100 }],
  ])("%s", async (_what, other) => {
    const { post, onPostback } = aReceiver();

    const answers = [
      await post(),
      await post(),
      await post({ ...POSTBACK, ...other }),
      await post({ ...POSTBACK, ...other }),
    ];

    expect(answers).toEqual([HANDLED, DUPLICATE, HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(2);
  });

  test("another date of the same is the same", async () => {
    const { post } = aReceiver();
    await post({ ...POSTBACK, transactionDate: "2026-03-01T12:31:00.000Z" });

    expect(await post({ ...POSTBACK, transactionDate: "2026-03-01T12:32:00.000Z" })).toEqual(DUPLICATE);
  });
});

describe("while a postback is being handled", () => {
  test("the same waits for nothing: 503, and when to come again", async () => {
    const { post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const first = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));

    expect(await post()).toEqual(BUSY("10"));

    gate.open();
    expect(await first).toEqual(HANDLED);
    expect(await post()).toEqual(DUPLICATE);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("of many at once one runs", async () => {
    const { post, onPostback } = aReceiver();
    const gate = aGate();
    onPostback.mockReturnValue(gate.passed);
    const statuses: number[] = [];

    const posts = Array.from({ length: 50 }, async () => void statuses.push((await post()).status));
    await vi.waitFor(() => expect(statuses).toHaveLength(49), { timeout: 10_000 });
    gate.open();
    await Promise.all(posts);

    expect(statuses).toEqual([...Array<number>(49).fill(503), 200]);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("many repeats at once of one that was handled before are all duplicates", async () => {
    const store = memoryStore();
    const claimPostback: PostbackStore["claimPostback"] = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 20)); // as a database over a network
      return store.claimPostback(...args);
    };
    const { post } = aReceiver({ store: { ...store, claimPostback } });
    await post();

    expect(await Promise.all(Array.from({ length: 20 }, () => post()))).toEqual(
      Array<Answer>(20).fill(DUPLICATE),
    );
  });

  test("its lease is renewed, however long it takes", async () => {
    const { post, onPostback } = aReceiver({ leaseMs: 60 });
    const gate = aGate();
    onPostback.mockReturnValueOnce(gate.passed);
    const first = post();
    await vi.waitFor(() => expect(onPostback).toHaveBeenCalledTimes(1));
    await new Promise((resolve) => setTimeout(resolve, 200));

    expect(await post()).toEqual(BUSY("1"));

    gate.open();
    expect(await first).toEqual(HANDLED);
    expect(onPostback).toHaveBeenCalledTimes(1);
  });

  test("no timer is left behind once it has ended", async () => {
    const { post, onPostback } = aReceiver();
    const url = await urlOf();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let during = 0;
    onPostback.mockImplementation(() => {
      during = vi.getTimerCount();
    });
    onPostback.mockRejectedValueOnce(new Error("no"));

    await post(POSTBACK, url);
    await post(POSTBACK, url);

    expect(during).toBeGreaterThan(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a failure gives the postback back at once", () => {
  test.each<[string, () => unknown]>([
    [
      "a throw",
      () => {
        throw new Error("no");
      },
    ],
    ["a rejection", () => Promise.reject(new Error("no"))],
    [
      "a throw of nothing",
      () => {
        throw undefined;
      },
    ],
  ])("%s", async (_what, fail) => {
    const { post, onPostback } = aReceiver();
    onPostback.mockImplementationOnce(fail);

    expect([await post(), await post()]).toEqual([FAILED, HANDLED]);
  });
});

describe("where its process died", () => {
  test("a postback is busy until the lease has ended, and then runs", async () => {
    const store = memoryStore();
    await store.claimPostback(KEY, "a process that died", 100);
    const { post } = aReceiver({ store });

    expect(await post()).toEqual(BUSY("1"));
    await vi.waitFor(async () => expect(await post()).toEqual(HANDLED), { timeout: 5_000 });
  });

  test("a handler of another process goes on, with the past in a file", async () => {
    const folder = temporaryFolder();
    const before = sqliteStore(join(folder, "store.db"));
    await aReceiver({ store: before }).post();
    before.close();
    const after = sqliteStore(join(folder, "store.db"));
    onTestFinished(() => after.close());
    const { post, onPostback } = aReceiver({ store: after });

    expect(await post()).toEqual(DUPLICATE);
    expect(await post({ ...POSTBACK, status: "pending" })).toEqual(HANDLED);
    expect(onPostback.mock.calls[0]?.[1]).toMatchObject({
      previousStatus: "approved",
      transition: "regression",
    });
  });
});

describe("a store that fails", () => {
  const away = new Error("the store is away");
  const failing = (method: keyof PostbackStore, times: number): PostbackStore => {
    const store = memoryStore();
    let left = times;
    const original = store[method].bind(store) as (...args: unknown[]) => Promise<never>;
    return Object.assign(store, {
      [method]: (...args: unknown[]) => (left-- > 0 ? Promise.reject(away) : original(...args)),
    });
  };

  test("before anything ran: 503, nothing runs, and it may come again", async () => {
    const { post, onPostback, events } = aReceiver({ store: failing("claimPostback", 1) });

    expect(await post()).toEqual({ status: 503, body: { error: "store_failed" }, retryAfter: "5" });
    expect(onPostback).not.toHaveBeenCalled();
    expect(events).toMatchObject([{ type: "store_failed", status: 503, error: away }]);
    expect(await post()).toEqual(HANDLED);
  });

  test("at the record is tried again", async () => {
    const { post, onPostback, events } = aReceiver({ store: failing("confirmPostback", 3) });

    expect([await post(), await post()]).toEqual([HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(1);
    expect(events.map(({ type }) => type)).toEqual(["handled", "duplicate"]);
  });

  test("at every try of the record: 200 all the same, since another answer would make it run again", async () => {
    const { post, onPostback, events } = aReceiver({ store: failing("confirmPostback", 4) });

    expect(await post()).toEqual(HANDLED);
    expect(onPostback).toHaveBeenCalledTimes(1);
    expect(events).toMatchObject([{ type: "store_failed", status: 200, error: away }]);
  });

  test("to give a postback back is asked again: the next delivery does not wait for the end of the lease", async () => {
    const { post, onPostback } = aReceiver({ store: failing("releasePostback", 2) });
    onPostback.mockRejectedValueOnce(new Error("no"));

    expect(await post()).toEqual(FAILED);
    await vi.waitFor(async () => expect(await post()).toEqual(HANDLED), { timeout: 5_000 });
  });

  test("to give a postback back: the lease ends by itself", async () => {
    const { post, onPostback } = aReceiver({ store: failing("releasePostback", 9), leaseMs: 50 });
    onPostback.mockRejectedValueOnce(new Error("no"));

    expect(await post()).toEqual(FAILED);
    await vi.waitFor(async () => expect(await post()).toEqual(HANDLED), { timeout: 5_000 });
  });

  test("to renew a lease: nothing else fails", async () => {
    const { post, onPostback } = aReceiver({ store: failing("renewPostback", 2), leaseMs: 30 });
    onPostback.mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, 40)));

    expect(await post()).toEqual(HANDLED);
  });

  test.each<[string, keyof PostbackStore, () => unknown]>([
    [
      "throws at once",
      "claimPostback",
      () => {
        throw away;
      },
    ],
    ["never answers", "claimPostback", () => new Promise(() => undefined)],
    ["gives nothing", "claimPostback", () => undefined],
    ["gives a state that is none", "claimPostback", async () => ({ state: "free" })],
  ])("with a claim that %s: 503, and nothing runs", async (_what, method, answer) => {
    const store = Object.assign(memoryStore(), { [method]: answer });
    const { post, onPostback } = aReceiver({ store, leaseMs: 40 });

    expect(await post()).toMatchObject({ status: 503, body: { error: "store_failed" } });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each<[string, keyof PostbackStore, () => unknown, object]>([
    [
      "release throws at once",
      "releasePostback",
      () => {
        throw away;
      },
      FAILED,
    ],
    ["release never ends", "releasePostback", () => new Promise(() => undefined), FAILED],
    [
      "renewal throws at once",
      "renewPostback",
      () => {
        throw away;
      },
      FAILED,
    ],
    ["renewal gives nothing", "renewPostback", () => undefined, FAILED],
  ])("whose %s: the answer is about onPostback", async (_what, method, answer, expected) => {
    const store = Object.assign(memoryStore(), { [method]: answer });
    const { post, onPostback } = aReceiver({ store, leaseMs: 30 });
    onPostback.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 25));
      throw new Error("no");
    });

    expect(await post()).toEqual(expected);
  });

  test("whose record never ends: 200, and it is asked again for as long as the process lives", async () => {
    const confirmPostback = vi.fn(() => new Promise<boolean>(() => undefined));
    const renewPostback = vi.fn(async () => true);
    const store = Object.assign(memoryStore(), { confirmPostback, renewPostback });
    const { post, events } = aReceiver({ store, leaseMs: 30 });

    expect(await post()).toEqual(HANDLED);
    expect(events).toMatchObject([{ type: "store_failed", status: 200 }]);
    const tries = confirmPostback.mock.calls.length;
    await vi.waitFor(() => expect(confirmPostback.mock.calls.length).toBeGreaterThan(tries), {
      timeout: 5_000,
    });
    expect(renewPostback).not.toHaveBeenCalled(); // a record is worth more than a lease
  });

  test("that does not say how long another has a postback: come again in a second", async () => {
    const store = Object.assign(memoryStore(), { claimPostback: async () => ({ state: "busy" }) });

    expect(await aReceiver({ store }).post()).toEqual(BUSY("1"));
  });

  test.each<[string, "settle" | "claimPostback", () => unknown]>([
    [
      "other transactions",
      "settle",
      async () => [null, 7, {}, { id: Symbol("1"), status: Object.create(null) }],
    ],
    [
      "past postbacks",
      "claimPostback",
      async () => ({ state: "claimed", handled: [null, 7, {}, { amount: 1 }] }),
    ],
    ["no list of past postbacks", "claimPostback", async () => ({ state: "claimed", handled: 7 })],
  ])("to say what they are: %s that nobody can read are left out", async (_what, method, answer) => {
    const { post, onPostback, events } = aReceiver({
      store: Object.assign(memoryStore(), { [method]: answer }),
    });

    expect(await post()).toEqual(HANDLED);
    expect(onPostback.mock.lastCall?.[1]).toMatchObject({ rivals: [], transition: "advance" });
    expect(events).toMatchObject([{ type: "handled" }]);
  });

  test("to keep a claim: onPostback ran, and the event says that another may have run, too", async () => {
    const store = memoryStore();
    const { post, events, onPostback } = aReceiver({ store });
    onPostback.mockImplementationOnce(async () => {
      vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000); // the process was paused
      await store.claimPostback(KEY, "another process", 60_000);
    });

    expect(await post()).toEqual(HANDLED);
    expect(events).toMatchObject([
      { type: "store_failed", status: 200, error: { message: expect.stringContaining("lease ended") } },
    ]);
  });
});
