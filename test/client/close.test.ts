import type { CloseOptions } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  alteredStore,
  byPix,
  heldReply,
  merchantWithStore,
  unresolvedIn,
} from "../resources/support/merchant-with-store.ts";
import { aGate } from "../support/http-server.ts";
import { aPix, failureOf } from "../support/merchant.ts";
import { CALLS } from "../support/scripted-client.ts";
import { created } from "../support/service-responses.ts";

afterEach(() => void vi.useRealTimers());

const NONE_LEFT = { aborted: 0, unrecorded: 0 };

const nothing: PromiseLike<unknown> = Promise.resolve();

/** A merchant with a call in flight, whose response is sent once the gate is open. */
async function withCallInFlight(store?: PaymentsStore) {
  const { gate, held } = heldReply(created());
  const merchant = await merchantWithStore([held], store && { store });
  const call = byPix(merchant.payments);
  call.catch(() => undefined);
  await expect.poll(() => merchant.arrivals.length).toBe(1);
  return { ...merchant, gate, call };
}

/** Calls that claim their order only once the gate is open, as with a pool whose connections are all in use. */
function storeWithLateClaims() {
  const [gate, store] = [aGate(), memoryStore()];
  const claim = vi.fn(async (...args: Parameters<PaymentsStore["claim"]>) => {
    await gate.passed;
    return store.claim(...args);
  });
  return { gate, claim, late: alteredStore({ claim }, store), store };
}

test.each(Object.entries(CALLS))("a closed client sends nothing: %s", async (_name, call) => {
  const { payments, arrivals } = await merchantWithStore();

  expect(await payments.close()).toEqual(NONE_LEFT);

  expect(await failureOf(call(payments))).toMatchObject({ code: "aborted" });
  expect(arrivals).toEqual([]);
});

test("request() of a closed client sends nothing", async () => {
  const { payments, arrivals } = await merchantWithStore();
  await payments.close();

  const failure = await failureOf(payments.request({ method: "POST", path: "/api/v1/refunds" }));

  expect(failure).toMatchObject({ code: "aborted", outcome: "not_sent", mayHaveCharged: false });
  expect(arrivals).toEqual([]);
});

test("a create call of a closed client is not sent, and writes nothing to the store, which may be closed, too", async () => {
  const unused = vi.fn(async () => undefined);
  const get = async () => Promise.reject(new Error("The store is closed."));
  const store = alteredStore({ claim: unused, renew: unused, recordOutcome: unused, get });
  const { payments } = await merchantWithStore([], { store });
  await payments.close();

  const failure = await failureOf(byPix(payments));

  expect(failure).toMatchObject({ code: "aborted", outcome: "not_sent", mayHaveCharged: true });
  expect(failure.message).toContain("The client was closed.");
  expect(unused).not.toHaveBeenCalled();
});

test("close() waits for the calls in flight, and repeated calls return the same", async () => {
  const { payments, gate, call, store } = await withCallInFlight();
  const closing = payments.close();
  const again = payments.close({ timeout: 0 });
  expect(await Promise.race([closing, again, nothing])).toBeUndefined();

  gate.open();

  expect(await call).toMatchObject({ id: 4021 });
  expect(await Promise.all([closing, again])).toEqual([NONE_LEFT, NONE_LEFT]);
  expect(await store.get("order-1")).toMatchObject({ state: "created" });
});

test("`await using` closes a client", async () => {
  const { gate, held } = heldReply(created());
  const { payments, arrivals } = await merchantWithStore([held]);
  let call: Promise<unknown> | undefined;
  {
    await using client = payments;
    call = byPix(client);
    await expect.poll(() => arrivals.length).toBe(1);
    gate.open();
  }
  expect(await failureOf(byPix(payments))).toMatchObject({ code: "aborted" });
  expect(await call).toMatchObject({ id: 4021 });
});

test("after the timeout the calls in flight are aborted, and recorded as unknown", async () => {
  const { payments, call, store } = await withCallInFlight();

  expect(await payments.close({ timeout: 0 })).toEqual({ aborted: 1, unrecorded: 0 });

  expect(await failureOf(call)).toMatchObject({ code: "aborted", outcome: "unknown" });
  expect(await unresolvedIn(store)).toMatchObject([{ reason: "no_response" }]);
});

test("a claim that the store makes after its call was aborted is released before close() ends", async () => {
  const { gate, claim, late, store } = storeWithLateClaims();
  const { payments, arrivals } = await merchantWithStore([], { store: late });
  const call = byPix(payments);
  await expect.poll(() => claim.mock.calls.length).toBe(1);

  const closing = payments.close({ timeout: 0 });
  expect(await failureOf(call)).toMatchObject({ code: "aborted", outcome: "not_sent" });
  gate.open();

  expect(await closing).toEqual({ aborted: 1, unrecorded: 0 });
  expect(await store.get("order-1")).toMatchObject({ state: "free" });
  expect(arrivals).toEqual([]);
});

test("a claim that failed and may still appear is released once more when the time is over", async () => {
  const store = memoryStore();
  const claim = vi.fn(async () => {
    throw new Error("the connection was lost");
  });
  const { payments } = await merchantWithStore([], { store: alteredStore({ claim }, store) });
  await failureOf(byPix(payments));
  const [[order] = []] = claim.mock.calls as unknown as [Parameters<PaymentsStore["claim"]>];
  await store.claim(order as Parameters<PaymentsStore["claim"]>[0], 60_000); // the database commits it now

  expect(await payments.close({ timeout: 0 })).toEqual(NONE_LEFT);

  expect(await store.get("order-1")).toMatchObject({ state: "free" });
});

test("an outcome that the store fails to record is recorded before close() ends", async () => {
  const store = memoryStore();
  const recordOutcome = vi.fn(store.recordOutcome);
  const { payments, gate, call } = await withCallInFlight(alteredStore({ recordOutcome }, store));
  const down = async () => {
    throw new Error("away");
  };
  recordOutcome.mockImplementation(down);
  gate.open();
  await failureOf(call);

  const closing = payments.close();
  recordOutcome.mockImplementation(store.recordOutcome);

  expect(await closing).toEqual(NONE_LEFT);
  expect(await store.get("order-1")).toMatchObject({ state: "created" });
});

test("an outcome that the store cannot record until the end is reported", async () => {
  const recordOutcome = async () => {
    throw new Error("away");
  };
  const { payments, gate, call } = await withCallInFlight(alteredStore({ recordOutcome }));
  gate.open();
  await failureOf(call);

  expect(await payments.close({ timeout: 0 })).toEqual({ aborted: 0, unrecorded: 1 });
});

test("close() does not wait for ever for a store that never responds", async () => {
  const claim = vi.fn(() => new Promise(() => undefined));
  const { payments } = await merchantWithStore([], { store: alteredStore({ claim }) });
  const failure = failureOf(byPix(payments));
  await expect.poll(() => claim.mock.calls.length).toBe(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });

  const closing = payments.close();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await failure).toMatchObject({ code: "aborted", outcome: "not_sent" });
  await vi.advanceTimersByTimeAsync(5_000);

  expect(await closing).toEqual({ aborted: 1, unrecorded: 1 });
});

test.each<[unknown]>([[{ timeout: -1 }], [{ timeout: "5" }], [{ timeuot: 5 }]])(
  "close(%j) fails, and closes nothing",
  async (options) => {
    const { payments } = await merchantWithStore();

    await expect(payments.close(options as CloseOptions)).rejects.toMatchObject({ code: "configuration" });

    expect(await byPix(payments)).toMatchObject({ id: 4021 });
  },
);

describe("close() after claims that failed", () => {
  const down = async () => {
    throw new Error("the connection was lost");
  };

  test("does not wait for claims that were released, although the database may still commit them", async () => {
    const store = memoryStore();
    const recordOutcome = vi.fn(store.recordOutcome);
    const { payments } = await merchantWithStore([], {
      store: alteredStore({ claim: down, recordOutcome }, store),
    });
    await failureOf(byPix(payments));
    await expect.poll(() => recordOutcome.mock.settledResults[0]?.type).toBe("fulfilled");
    const started = performance.now();

    expect(await payments.close()).toEqual(NONE_LEFT);

    expect(performance.now() - started).toBeLessThan(1_000);
    expect(recordOutcome).toHaveBeenCalledTimes(2); // once more at the end
  });

  test("does not report one that was released, if its last release fails", async () => {
    const store = memoryStore();
    const recordOutcome = vi.fn(down).mockImplementationOnce(store.recordOutcome as typeof down);
    const { payments } = await merchantWithStore([], {
      store: alteredStore({ claim: down, recordOutcome }, store),
    });
    await failureOf(byPix(payments));

    expect(await payments.close()).toEqual(NONE_LEFT);

    expect(recordOutcome).toHaveBeenCalledTimes(2);
  });

  test("reports all that the store could not release, however many", async () => {
    const { payments } = await merchantWithStore([], {
      store: alteredStore({ claim: down, recordOutcome: down }),
    });
    await Promise.all(
      Array.from({ length: 1_100 }, (_, n) =>
        failureOf(payments.transactions.createPix({ ...aPix(), externalRef: `order-${n}` })),
      ),
    );

    expect(await payments.close({ timeout: 1_000 })).toEqual({ aborted: 0, unrecorded: 1_100 });
  });
});

test("while close() waits, the error of a new create call says what the store knows of its order", async () => {
  const { payments, gate } = await withCallInFlight();
  const closing = payments.close();

  const [inFlight, unknown] = await Promise.all(
    ["order-1", "order-2"].map((externalRef) =>
      failureOf(payments.transactions.createPix({ ...aPix(), externalRef })),
    ),
  );
  gate.open();
  await closing;

  expect(inFlight).toMatchObject({ code: "aborted", outcome: "not_sent", mayHaveCharged: true });
  expect(unknown).toMatchObject({ code: "aborted", outcome: "not_sent", mayHaveCharged: false });
});
