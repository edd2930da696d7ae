import { join } from "node:path";
import { memoryStore, type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The wall clock belongs to the machine, and is set by people and by NTP; a store on a server has a clock of its own. */

const HOUR = 60 * 60_000;
const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
const BY_ANOTHER = { ...ORDER, owner: "b" } as const;
const LEASE = 60_000;
const NOW = Date.parse("2026-11-21T12:00:00Z");

function setClock(ms: number): void {
  vi.spyOn(Date, "now").mockReturnValue(NOW + ms);
}

async function claimedInAFile(): Promise<PaymentsStore> {
  setClock(0);
  const store = sqliteStore(join(temporaryFolder(), "store.db"));
  onTestFinished(() => store.close());
  expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
  return store;
}

describe("with a clock that is set by", () => {
  test.each([
    ["an hour back, the claim lasts longer", -HOUR, { state: "claimed", leaseLeftMs: HOUR + LEASE }],
    ["a minute on, the lease has ended", LEASE, { state: "unresolved" }],
    ["an hour on, the lease has ended", HOUR, { state: "unresolved" }],
    ["years back, no lease is believed any more", -30_000 * HOUR, { state: "unresolved" }],
    ["years on, the lease has ended", 30_000 * HOUR, { state: "unresolved" }],
  ])("%s, and nobody else may send the order", async (_what, ms, expected) => {
    const store = await claimedInAFile();

    setClock(ms);

    expect(await store.claim(BY_ANOTHER, LEASE)).toEqual(expected);
  });

  test.each([-30_000, -1, 1])("%d hours, its owner may still say how the sending ended", async (hours) => {
    const store = await claimedInAFile();

    setClock(hours * HOUR);
    await store.end(ORDER, { outcome: "created", transactionId: 7 });

    expect(await store.claim(BY_ANOTHER, LEASE)).toEqual({ state: "created", transactionId: 7 });
  });

  test("years back, it is listed, however old it is to be", async () => {
    const store = await claimedInAFile();

    setClock(-30_000 * HOUR);
    const listed: string[] = [];
    for await (const { externalRef } of store.unresolved({ olderThanMs: HOUR })) listed.push(externalRef);

    expect(listed).toEqual(["order-1"]);
  });

  test("an hour back, a person has to wait: the call may be on its way", async () => {
    const store = await claimedInAFile();

    setClock(-HOUR);

    await expect(store.resolve("order-1", { charged: false })).rejects.toMatchObject({
      code: "outcome_pending",
    });
  });

  test("anything, a store in memory does not mind: it has a clock that nobody sets", async () => {
    setClock(0);
    const store = memoryStore();
    await store.claim(ORDER, LEASE);

    setClock(30_000 * HOUR);

    expect(await store.claim(BY_ANOTHER, LEASE)).toEqual({
      state: "claimed",
      leaseLeftMs: expect.closeTo(LEASE, -4),
    });
  });
});
