import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memoryStore, type PaymentsStore, sqliteStore } from "payments-sdk/idempotency";
import { onTestFinished, vi } from "vitest";
import { aPix, merchantAt } from "../support/merchant.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { foundIn, testClaims } from "./support/figures.ts";
import { keep, knownOrders, knownPostbacks, orderOf } from "./support/kept-orders.ts";

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 7_000;

/** Milliseconds that a claim of a client lasts longer than its call. */
async function leaseBeyondTimeout(): Promise<number> {
  const store = memoryStore();
  const claim = vi.spyOn(store, "claim");
  const fetch = async () => new Response('{"success":true,"data":{"id":7}}', { status: 201 });
  const { payments } = merchantAt("https://pay.example", { fetch, idempotency: store, timeout: TIMEOUT_MS });
  await payments.transactions.createPix(aPix()).catch(() => undefined);
  return (claim.mock.calls[0]?.[1] ?? 0) - TIMEOUT_MS;
}

/** How often a client asks its store to record an end, where it never does. */
async function triesOfRecord(): Promise<number> {
  const store = memoryStore();
  const end = vi.spyOn(store, "end").mockRejectedValue(new Error("no"));
  const fetch = async () => new Response(null, { status: 500 });
  const { payments } = merchantAt("https://pay.example", { fetch, idempotency: store });
  await payments.transactions.createPix(aPix()).catch(() => undefined);
  return end.mock.calls.length;
}

/** What a claim gets in a file whose latest change was so many milliseconds ago. */
async function claimsAfter(
  spansMs: readonly number[],
  change: (store: PaymentsStore) => Promise<unknown>,
): Promise<string[]> {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const states: string[] = [];
  for (const spanMs of spansMs) {
    const path = join(temporaryFolder(), "payments.db");
    const before = sqliteStore(path);
    await change(before);
    before.close();
    vi.setSystemTime(Date.now() + spanMs);
    const after = sqliteStore(path);
    states.push((await after.claim(orderOf("order-1"), 10_000)).state);
    after.close();
  }
  return states;
}

/** How SQLite writes: 2 is FULL. */
function settingsOfSqlite(): unknown[] {
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");
  onTestFinished(() => exec.mockRestore());
  const store = sqliteStore(join(temporaryFolder(), "payments.db"));
  const database = exec.mock.contexts.find((context) => context instanceof DatabaseSync);
  const settings = ["synchronous", "journal_mode"].map(
    (name) => Object.values(database?.prepare(`PRAGMA ${name}`).get() ?? {})[0],
  );
  store.close();
  return settings;
}

const claim = (store: PaymentsStore) => store.claim(orderOf("order-1"), 35_000);

testClaims([
  ["docs/idempotency.md", "for its `timeout` and 30 seconds more: the lease.", 30_000, leaseBeyondTimeout],
  [
    "docs/timeouts.md",
    "When the lease (the time-out plus 30 seconds) has ended,",
    30_000,
    leaseBeyondTimeout,
  ],
  [
    "docs/idempotency.md",
    "forgotten after `retentionDays` (default 400),",
    ["created", "yours"],
    () => claimsAfter([400 * DAY_MS, 400 * DAY_MS + 1], (store) => keep(store, "order-1")),
  ],
  [
    "docs/stores.md",
    "It keeps 20,000 orders and 20,000 handled postbacks (`maxOrders`, `maxPostbacks`)",
    [20_000, 20_000],
    () => Promise.all([knownOrders(20_001), knownPostbacks(20_001)]),
  ],
  ["docs/stores.md", "It is in WAL mode, with `synchronous = FULL`:", [2, "wal"], settingsOfSqlite],
  ["docs/stores.md", "create ended is tried three times, and then for ten minutes more", 3, triesOfRecord],
  [
    "docs/timeouts.md",
    "older than a quarter of an hour.",
    "900_000",
    () => foundIn("docs/observability.md", /olderThanMs: ([\d_]+)/),
  ],
  [
    "docs/observability.md",
    "`store.unresolved({ olderThanMs: 900_000 })`, from a job | any |",
    "a quarter of an hour",
    () => foundIn("docs/timeouts.md", /older than (a quarter of an hour)/),
  ],
  [
    "docs/stores.md",
    "set back, it makes one last longer, by a day at most.",
    ["claimed", "unresolved"],
    () => claimsAfter([-DAY_MS, -DAY_MS - 1_000], claim),
  ],
]);
