import type {
  AttemptOutcome,
  ClaimedOrder,
  IdempotencyStore,
  PostbackUpdate,
  RecordedOutcome,
  StoredTransaction,
  UnresolvedOrder,
} from "../../contracts/idempotency-store.ts";

/** Milliseconds; longer than any test. */
export const LEASE = 60_000;

export const ORDER = {
  externalRef: "order-1",
  amount: 1990,
  paymentMethod: "pix",
  owner: "a",
} as const satisfies ClaimedOrder;

export const REF = ORDER.externalRef;

/** The same order, claimed by another caller. */
export const by = (owner: string, externalRef: string = REF): ClaimedOrder => ({
  ...ORDER,
  owner,
  externalRef,
});

export const UNKNOWN: AttemptOutcome = { outcome: "unknown" };
export const NOT_CREATED: AttemptOutcome = { outcome: "not_created" };

export function createdAs(
  status: StoredTransaction["status"],
  id = 1,
): Extract<AttemptOutcome, { outcome: "created" }> {
  const transaction: StoredTransaction = {
    id,
    status,
    rawStatus: status,
    amount: 1990,
    paymentMethod: "pix",
    pix: { qrcodeText: "00020101" },
  };
  return { outcome: "created", transactionId: id, transaction };
}

export function aPostback(status: PostbackUpdate["status"], id = 1): PostbackUpdate {
  return { id, status, rawStatus: status, amount: 1990 };
}

/** The ids of the possible duplicates that `recordOutcome` returned. */
export const idsIn = (ended: RecordedOutcome | readonly (number | string)[]): readonly (number | string)[] =>
  "possibleDuplicates" in ended ? ended.possibleDuplicates.map(({ id }) => id) : ended;

export const times = (count: number) => Array.from({ length: count }, (_, nth) => nth);

export const statesOf = (claims: readonly { readonly state: string }[]) =>
  claims.map(({ state }) => state).toSorted();

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const listed = (store: IdempotencyStore): Promise<UnresolvedOrder[]> => collect(store.unresolved());

export async function referencesIn(store: IdempotencyStore): Promise<string[]> {
  return (await listed(store)).map(({ externalRef }) => externalRef).toSorted();
}

export async function attempt(store: IdempotencyStore, end: AttemptOutcome, order: ClaimedOrder = ORDER) {
  await store.claim(order, LEASE);
  return store.recordOutcome(order, end);
}

/** Claims many orders, 50 at once: a pool of connections serves them within seconds. */
export async function claimAll(store: IdempotencyStore, references: readonly string[]): Promise<void> {
  for (let start = 0; start < references.length; start += 50) {
    const some = references.slice(start, start + 50);
    await Promise.all(some.map((reference) => store.claim(by("a", reference), LEASE)));
  }
}

/** The state that the next caller gets. Claims the order if it is free. */
export async function stateOf(store: IdempotencyStore, externalRef: string = REF): Promise<string> {
  return (await store.claim(by(crypto.randomUUID(), externalRef), LEASE)).state;
}

/** References that a database may mix up, or cannot store as they are. */
export const REFERENCES = [
  "1",
  " ",
  "order-1",
  "order-1 ",
  "order_1",
  "Order-1",
  "order-*",
  "order-[1]?{a}^$",
  "ação",
  "ação".normalize("NFD"),
  "订单-🛒-👩‍👩‍👧",
  "%F0%9F%9B%92",
  `o'rd"er\`'; DROP TABLE payments_orders; --`,
  "order\\1\\\\n\\u0000",
  "{order}-1",
  "$1 :order ? %s",
  "payments:default:order:1",
  "a:b",
  "a::b",
  "__proto__",
  "constructor",
  `${"x".repeat(999)}1`,
  `${"x".repeat(999)}2`,
  `${"订".repeat(999)}1`,
  `${"订".repeat(999)}2`,
  "🛒".repeat(500),
];

/** Namespaces that a database may mix up. */
export const NAMESPACES = ["s", "S", "s:order", "s-*", "s-1", "a/b", "a%2Fb", "ção", "c\u0327a\u0303o"];
