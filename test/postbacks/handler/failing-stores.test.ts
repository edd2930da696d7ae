import { memoryStore, type PostbackClaim, type PostbackStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { createMemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { createPostbackStore } from "../../../src/idempotency/postbacks/postback-store.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  BUSY,
  DUPLICATE,
  FAILED,
  HANDLED,
  inFakeTime,
  type Reply,
} from "../support/receiver.ts";
import { POSTBACK } from "../support/signing.ts";

const away = new Error("the store is away");
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const throwing = () => {
  throw away;
};
const hanging = () => new Promise<never>(() => undefined);

/** A store in memory with some operations replaced. */
const altered = (changes: object) => Object.assign(memoryStore(), changes);

/** A store in memory, one of whose operations fails `times` times. */
function failing(method: keyof PostbackStore, times: number): PostbackStore {
  const store = memoryStore();
  const operation = vi.spyOn(store, method);
  for (let tries = 0; tries < times; tries += 1) operation.mockRejectedValueOnce(away);
  return store;
}

test("a repeat of a postback whose claim fails does not wait forever", async () => {
  const claimPostback = vi.fn(() => pause(1_000).then(throwing));
  const { post } = aReceiverInFakeTime({ store: altered({ claimPostback }) });

  const replies = await inFakeTime(Promise.all([post(), post()]));

  expect(replies.map(({ status }) => status)).toEqual([503, 503]);
  expect(claimPostback).toHaveBeenCalledTimes(1);
});

test("a store that is away for 150 postbacks does not keep those of another store claimed", async () => {
  const away150 = aReceiverInFakeTime({
    store: altered({ claimPostback: throwing, releasePostback: throwing }),
  });
  const orders = Array.from({ length: 150 }, (_, nth) => ({ ...POSTBACK, externalRef: `order-${nth}` }));
  await inFakeTime(Promise.all(orders.map((body) => away150.post(body))));
  const store = memoryStore();
  const { claimPostback } = store;
  vi.spyOn(store, "claimPostback").mockImplementationOnce(async (...args) => {
    await claimPostback(...args);
    throw away; // its response is lost
  });
  vi.spyOn(store, "releasePostback").mockRejectedValueOnce(away);
  const { post, onPostback } = aReceiverInFakeTime({ store });

  expect(await inFakeTime(post())).toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(5_000);
  await inFakeTime(post());

  expect(onPostback).toHaveBeenCalledTimes(1);
});

test.each<[string, () => unknown]>([
  ["throws at once", throwing],
  ["rejects", async () => throwing()],
  ["never settles", hanging],
  ["returns nothing", () => undefined],
  ["returns an unknown state", async () => ({ state: "free" })],
])("a claim that %s: 503, and only the next delivery runs onPostback", async (_what, claim) => {
  const store = memoryStore();
  vi.spyOn(store, "claimPostback").mockImplementationOnce(claim as never);
  const { post, onPostback, events } = aReceiver({ store, leaseMs: 40 });

  expect(await post()).toEqual({ status: 503, body: { error: "store_failed" }, retryAfter: "5" });
  expect(onPostback).not.toHaveBeenCalled();
  expect(events).toMatchObject([{ type: "store_failed", status: 503 }]);
  expect(await post()).toEqual(HANDLED);
});

test.each<[string, object, Reply]>([
  ["yours, without a list of handled postbacks", { state: "yours" }, HANDLED],
  ["yours, with a damaged list", { state: "yours", handled: [null, {}, POSTBACK] }, HANDLED],
  ["busy, without the rest of the lease", { state: "busy" }, BUSY("1")],
])("a custom store may leave out parts of a claim: %s", async (_what, claim, reply) => {
  const { post } = aReceiver({ store: altered({ claimPostback: async () => claim }) });

  expect(await post()).toEqual(reply);
});

test.each([
  [undefined],
  [null],
  [{ rowCount: 1 }],
  [[null, 7, {}, { id: Symbol("1"), status: Object.create(null) }]],
])("onPostback runs whatever the recordPostback() of a custom store returns: %o", async (settled) => {
  const { post, onPostback, events } = aReceiver({ store: altered({ recordPostback: async () => settled }) });

  expect(await post()).toEqual(HANDLED);
  expect(onPostback.mock.lastCall?.[1]).toMatchObject({ possibleDuplicates: [], transition: "advance" });
  expect(events).toMatchObject([{ type: "handled" }]);
});

test("a recordPostback() that never settles: 503, and onPostback does not run", async () => {
  const { post, onPostback } = aReceiverInFakeTime({ store: altered({ recordPostback: hanging }) });

  expect(await inFakeTime(post())).toMatchObject({ status: 503, body: { error: "store_failed" } });
  expect(onPostback).not.toHaveBeenCalled();
});

test.each<[string, (make: () => Promise<PostbackClaim>) => Promise<PostbackClaim>]>([
  ["whose response was lost", (make) => make().then(throwing)],
  ["that is made after its timeout", (make) => pause(20_000).then(make)],
])("a claim %s is released long before its lease ends", async (_which, claiming) => {
  const store = memoryStore();
  const claim = store.claimPostback.bind(store);
  vi.spyOn(store, "claimPostback").mockImplementationOnce((...args) => claiming(() => claim(...args)));
  const release = vi.spyOn(store, "releasePostback");
  for (let tries = 0; tries < 2; tries += 1) release.mockRejectedValueOnce(away);
  const { post } = aReceiverInFakeTime({ store });

  expect(await inFakeTime(post())).toMatchObject({ status: 503, body: { error: "store_failed" } });
  await inFakeTime(pause(40_000));

  expect(await inFakeTime(post())).toEqual(DUPLICATE); // the handler ran it again
});

test("a record that fails for longer: still 200, because another status would run onPostback again", async () => {
  const { post, onPostback, events } = aReceiverInFakeTime({ store: failing("confirmPostback", 8) });

  expect(await inFakeTime(post())).toEqual(HANDLED);
  expect(events).toMatchObject([{ type: "store_failed", status: 200, error: away }]);
  expect(await inFakeTime(post())).toEqual(DUPLICATE);

  await inFakeTime(pause(10_000));
  expect(events.map(({ type }) => type)).toEqual(["store_failed", "duplicate", "handled"]);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("a record that never settles: 200 soon, and it is retried for as long as the process lives", async () => {
  const confirmPostback = vi.fn(hanging);
  const renewPostback = vi.fn(async () => true);
  const { post, events } = aReceiverInFakeTime({ store: altered({ confirmPostback, renewPostback }) });
  const start = performance.now();

  expect(await inFakeTime(post())).toEqual(HANDLED);

  expect(performance.now() - start).toBeLessThan(5_000);
  expect(events).toMatchObject([{ type: "store_failed", status: 200 }]);
  const tries = confirmPostback.mock.calls.length;
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(confirmPostback.mock.calls.length).toBeGreaterThan(tries + 100);
  expect(renewPostback).not.toHaveBeenCalled(); // the record replaces the lease
});

test("a late response to a record does not count as a lost claim, and a claim that another process took over does", async () => {
  const late = vi
    .fn()
    .mockImplementationOnce(() => pause(2_100).then(() => true))
    .mockImplementationOnce(() => pause(200).then(() => false)); // it is already recorded
  const recorded = aReceiverInFakeTime({ store: altered({ confirmPostback: late }) });
  const lost = aReceiverInFakeTime({ store: altered({ confirmPostback: async () => false }) });

  expect(await inFakeTime(recorded.post())).toEqual(HANDLED);
  expect(await inFakeTime(lost.post())).toEqual(HANDLED);
  await inFakeTime(pause(1_000));

  expect(recorded.events.map(({ type }) => type)).toEqual(["store_failed", "handled"]);
  const error = { message: expect.stringContaining("lease ended") };
  expect(lost.events).toMatchObject([{ type: "store_failed", status: 200, error }]);
});

test.each<[string, keyof PostbackStore, () => unknown, waitMs: number]>([
  ["release throws at once", "releasePostback", throwing, 150_000],
  ["release never settles", "releasePostback", hanging, 150_000],
  ["renewal throws at once", "renewPostback", throwing, 5_000],
])(
  "a store whose %s does not change the response, its claim ends, and onPostback runs again",
  async (_what, method, fail, waitMs) => {
    const { post, onPostback } = aReceiverInFakeTime({ store: altered({ [method]: fail }) });
    onPostback.mockImplementationOnce(() => pause(10_000).then(throwing));

    expect(await inFakeTime(post())).toEqual(FAILED);
    await inFakeTime(pause(waitMs));

    expect(await inFakeTime(post())).toEqual(DUPLICATE);
  },
);

test("a renewal that fails once does not end a short lease: another process gets a 503 until it may try again", async () => {
  const options = { store: failing("renewPostback", 1), leaseMs: 1_200 };
  const { post, onPostback } = aReceiverInFakeTime(options);
  const other = aReceiverInFakeTime(options);
  onPostback.mockImplementationOnce(() => pause(3_000));
  const first = post();
  await inFakeTime(pause(1_800));

  expect(await inFakeTime(other.post())).toEqual(BUSY(expect.stringMatching(/^[12]$/)));
  expect(await inFakeTime(first)).toEqual(HANDLED);
});

test("a claim that the store lost is made again while onPostback runs", async () => {
  const store = memoryStore();
  const claim = vi.spyOn(store, "claimPostback");
  const [one, other] = [aReceiverInFakeTime({ store }), aReceiverInFakeTime({ store })];
  one.onPostback.mockImplementationOnce(async () => {
    const [key, owner] = claim.mock.calls[0] ?? [];
    if (key !== undefined && owner !== undefined) await store.releasePostback(key, owner);
    await pause(5_000);
    expect(await other.post()).toEqual(BUSY("10"));
  });

  expect(await inFakeTime(one.post())).toEqual(HANDLED);

  expect(await inFakeTime(other.post())).toEqual(DUPLICATE);
  expect(other.onPostback).not.toHaveBeenCalled();
});

test("a claim that is made again while onPostback fails is released, too", async () => {
  const store = memoryStore();
  const claim = store.claimPostback.bind(store);
  vi.spyOn(store, "renewPostback").mockResolvedValue(false);
  vi.spyOn(store, "claimPostback")
    .mockImplementationOnce(claim)
    .mockImplementationOnce((...args) => pause(3_000).then(() => claim(...args)));
  const { post, onPostback } = aReceiverInFakeTime({ store });
  onPostback.mockImplementationOnce(() => pause(3_000).then(throwing));

  expect(await inFakeTime(post())).toEqual(FAILED);
  await inFakeTime(pause(20_000));

  expect(await inFakeTime(post())).toEqual(DUPLICATE); // the handler ran it again
});

test.each([
  ["while it runs", 190_000, ["handled"]],
  ["after it succeeded", 0, ["store_failed", "handled"]],
])(
  "a store that is unreachable for longer than the lease lets no other process run onPostback %s",
  async (_when, runsMs, events) => {
    const postbacks = createPostbackStore({
      orders: createMemoryDocuments(1),
      transactions: createMemoryDocuments(1),
      isShared: true,
    });
    let isAway = false;
    const store = new Proxy(postbacks, {
      get: (_target, name: keyof PostbackStore) => (isAway ? hanging : postbacks[name]),
    });
    const one = aReceiverInFakeTime({ store, timeout: 1 });
    const other = aReceiverInFakeTime({ store, timeout: 1 });
    one.onPostback.mockImplementationOnce(async () => {
      isAway = true;
      await (runsMs > 0 ? pause(runsMs) : undefined);
    });

    const first = one.post();
    await inFakeTime(pause(90_000));
    isAway = false;
    await inFakeTime(
      (async () => {
        while ((await other.post()).status !== 200) await pause(100); // like a sender
      })(),
    );

    expect(await inFakeTime(first)).toEqual(HANDLED);
    expect(other.onPostback).not.toHaveBeenCalled();
    expect(one.events.map(({ type }) => type).filter((type) => type !== "warning")).toEqual(events);
  },
);
