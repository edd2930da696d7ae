import { memoryStore, type PostbackClaim, type PostbackStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import { DocumentPostbacks } from "../../../src/idempotency/document-postbacks.ts";
import { MemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import {
  aReceiver,
  aReceiverInFakeTime,
  BUSY,
  DUPLICATE,
  FAILED,
  HANDLED,
  inFakeTime,
} from "./support/receiver.ts";

const away = new Error("the store is away");
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const throwing = () => {
  throw away;
};
const hanging = () => new Promise<never>(() => undefined);

/** A store in memory, some of whose operations are others than its own. */
const altered = (changes: object) => Object.assign(memoryStore(), changes);

/** A store one of whose operations fails so many times. */
function failing(method: keyof PostbackStore, times: number): PostbackStore {
  const store = memoryStore();
  const operation = vi.spyOn(store, method);
  for (let tries = 0; tries < times; tries += 1) operation.mockRejectedValueOnce(away);
  return store;
}

test("a store that fails before anything ran: 503, nothing runs, and it may come again", async () => {
  const { post, onPostback, events } = aReceiver({ store: failing("claimPostback", 1) });

  expect(await post()).toEqual({ status: 503, body: { error: "store_failed" }, retryAfter: "5" });
  expect(onPostback).not.toHaveBeenCalled();
  expect(events).toMatchObject([{ type: "store_failed", status: 503, error: away }]);
  expect(await post()).toEqual(HANDLED);
});

test("a repeat of a postback whose claim fails does not wait for ever", async () => {
  const claimPostback = vi.fn(() => pause(1_000).then(throwing));
  const { post } = aReceiverInFakeTime({ store: altered({ claimPostback }) });

  const answers = await inFakeTime(Promise.all([post(), post()]));

  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(claimPostback).toHaveBeenCalledTimes(1);
});

test.each<[string, () => unknown]>([
  ["throws at once", throwing],
  ["never answers", hanging],
  ["gives nothing", () => undefined],
  ["gives a state that is none", async () => ({ state: "free" })],
])("a claim that %s: 503, and nothing runs", async (_what, claimPostback) => {
  const { post, onPostback } = aReceiver({ store: altered({ claimPostback }), leaseMs: 40 });

  expect(await post()).toMatchObject({ status: 503, body: { error: "store_failed" } });
  expect(onPostback).not.toHaveBeenCalled();
});

test.each<[string, (make: () => Promise<PostbackClaim>) => Promise<PostbackClaim>]>([
  ["whose answer was lost", (make) => make().then(throwing)],
  ["that is made once nobody waits for it", (make) => pause(20_000).then(make)],
])("a claim %s is given back long before its lease ends", async (_which, claiming) => {
  const store = memoryStore();
  const claim = store.claimPostback.bind(store);
  vi.spyOn(store, "claimPostback").mockImplementationOnce((...args) => claiming(() => claim(...args)));
  const release = vi.spyOn(store, "releasePostback");
  for (let tries = 0; tries < 2; tries += 1) release.mockRejectedValueOnce(away);
  const { post } = aReceiverInFakeTime({ store });

  expect(await inFakeTime(post())).toMatchObject({ status: 503, body: { error: "store_failed" } });
  await inFakeTime(pause(20_000));

  expect(await inFakeTime(post())).toEqual(HANDLED);
});

test("a record that fails is tried again", async () => {
  const { post, onPostback, events } = aReceiver({ store: failing("confirmPostback", 2) });

  expect([await post(), await post()]).toEqual([HANDLED, DUPLICATE]);
  expect(onPostback).toHaveBeenCalledTimes(1);
  expect(events.map(({ type }) => type)).toEqual(["handled", "duplicate"]);
});

test("a record that fails for longer: 200 all the same, since another answer would make it run again", async () => {
  const { post, onPostback, events } = aReceiverInFakeTime({ store: failing("confirmPostback", 4) });

  expect(await inFakeTime(post())).toEqual(HANDLED);
  expect(events).toMatchObject([{ type: "store_failed", status: 200, error: away }]);
  expect(await inFakeTime(post())).toEqual(DUPLICATE);

  await inFakeTime(pause(10_000));
  expect(events.map(({ type }) => type)).toEqual(["store_failed", "duplicate", "handled"]);
  expect(onPostback).toHaveBeenCalledTimes(1);
});

test("a record that never ends: 200 soon, and it is tried for as long as the process lives", async () => {
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
  expect(renewPostback).not.toHaveBeenCalled(); // a record is worth more than a lease
});

test("a record whose answer came too late is no loss of the claim", async () => {
  const confirmPostback = vi
    .fn()
    .mockImplementationOnce(() => pause(2_100).then(() => true))
    .mockImplementationOnce(() => pause(200).then(() => false)); // there is nothing left to record
  const { post, events } = aReceiverInFakeTime({ store: altered({ confirmPostback }) });

  expect(await inFakeTime(post())).toEqual(HANDLED);
  await inFakeTime(pause(1_000));

  expect(events.map(({ type }) => type)).toEqual(["store_failed", "handled"]);
});

test("a claim that another process took over: 200, and the event says that it may have run, too", async () => {
  const { post, events } = aReceiver({ store: altered({ confirmPostback: async () => false }) });

  expect(await post()).toEqual(HANDLED);
  expect(events).toMatchObject([
    { type: "store_failed", status: 200, error: { message: expect.stringContaining("lease ended") } },
  ]);
});

test.each<[string, object]>([
  ["release throws at once", { releasePostback: throwing }],
  ["release never ends", { releasePostback: hanging }],
  ["renewal throws at once", { renewPostback: throwing }],
])("a store whose %s: the answer is about onPostback", async (_what, changes) => {
  const { post, onPostback } = aReceiverInFakeTime({ store: altered(changes) });
  onPostback.mockImplementationOnce(async () => {
    await pause(10_000);
    throw new Error("no");
  });

  expect(await inFakeTime(post())).toEqual(FAILED);
});

test.each([
  ["twice: the next delivery does not wait for the end of the lease", 2, 1_000],
  ["all the time: the lease ends by itself", 999, 61_000],
])("a release that fails %s", async (_what, times, waitMs) => {
  const { post, onPostback } = aReceiverInFakeTime({ store: failing("releasePostback", times) });
  onPostback.mockRejectedValueOnce(new Error("no"));

  expect(await inFakeTime(post())).toEqual(FAILED);
  await inFakeTime(pause(waitMs));

  expect(await inFakeTime(post())).toEqual(HANDLED);
});

test("a store that does not say how long another process has a postback: come again in a second", async () => {
  const store = altered({ claimPostback: async () => ({ state: "busy" }) });

  expect(await aReceiver({ store }).post()).toEqual(BUSY("1"));
});

test.each<[string, object]>([
  [
    "other transactions",
    { settle: async () => [null, 7, {}, { id: Symbol("1"), status: Object.create(null) }] },
  ],
  [
    "past postbacks",
    { claimPostback: async () => ({ state: "claimed", handled: [null, 7, {}, { amount: 1 }] }) },
  ],
  ["no list of past postbacks", { claimPostback: async () => ({ state: "claimed", handled: 7 }) }],
])("%s that cannot be read are left out", async (_what, changes) => {
  const { post, onPostback, events } = aReceiver({ store: altered(changes) });

  expect(await post()).toEqual(HANDLED);
  expect(onPostback.mock.lastCall?.[1]).toMatchObject({ rivals: [], transition: "advance" });
  expect(events).toMatchObject([{ type: "handled" }]);
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

test("a claim that is made again while onPostback fails is given back, too", async () => {
  const store = memoryStore();
  const claim = store.claimPostback.bind(store);
  vi.spyOn(store, "renewPostback").mockResolvedValue(false);
  vi.spyOn(store, "claimPostback")
    .mockImplementationOnce(claim)
    .mockImplementationOnce((...args) => pause(3_000).then(() => claim(...args)));
  const { post, onPostback } = aReceiverInFakeTime({ store });
  onPostback.mockImplementationOnce(() => pause(3_000).then(throwing));

  expect(await inFakeTime(post())).toEqual(FAILED);
  await inFakeTime(pause(5_000));

  expect(await inFakeTime(post())).toEqual(HANDLED);
});

/** Two processes, and a store of both that can stop answering. What it was asked meanwhile it never did. */
function twoReceivers() {
  const postbacks = new DocumentPostbacks(new MemoryDocuments(1));
  let isAway = false;
  const answer = <Result>(work: () => Promise<Result>) => (isAway ? (hanging() as Promise<Result>) : work());
  const store: PostbackStore = {
    claimPostback: (...args) => answer(() => postbacks.claimPostback(...args)),
    renewPostback: (...args) => answer(() => postbacks.renewPostback(...args)),
    confirmPostback: (...args) => answer(() => postbacks.confirmPostback(...args)),
    releasePostback: (...args) => answer(() => postbacks.releasePostback(...args)),
  };
  const goAway = async (ms: number) => {
    isAway = true;
    await pause(ms);
    isAway = false;
  };
  const [one, other] = [
    aReceiverInFakeTime({ store, timeout: 1 }),
    aReceiverInFakeTime({ store, timeout: 1 }),
  ];
  /** As a sender does that wants a 2xx. */
  const postUntilHandled = async () => {
    while ((await other.post()).status !== 200) await pause(100);
  };
  return { one, other, goAway, postUntilHandled };
}

test("a store that is away for longer than the lease lets no other process run onPostback while it runs", async () => {
  const { one, other, goAway, postUntilHandled } = twoReceivers();
  one.onPostback.mockImplementationOnce(async () => {
    await goAway(90_000);
    await pause(100_000);
  });

  const first = one.post();
  await inFakeTime(pause(90_000));
  await inFakeTime(postUntilHandled());

  expect(await inFakeTime(first)).toEqual(HANDLED);
  expect(other.onPostback).not.toHaveBeenCalled();
});

test("a store that is away for longer than the lease lets no other process run it after it succeeded", async () => {
  const { one, other, goAway, postUntilHandled } = twoReceivers();
  let isBack: Promise<void> | undefined;
  one.onPostback.mockImplementationOnce(() => {
    isBack = goAway(90_000);
  });

  expect(await inFakeTime(one.post())).toEqual(HANDLED);
  await inFakeTime(Promise.resolve(isBack));
  await inFakeTime(postUntilHandled());

  expect(other.onPostback).not.toHaveBeenCalled();
  expect(one.events).toMatchObject([{ type: "store_failed", status: 200 }, { type: "handled" }]);
});
