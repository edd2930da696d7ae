import type { OrderFilter, OrderRecord } from "../../contracts/idempotency-store.ts";
import { equals, isTime, matches } from "./assertions.ts";
import {
  aPostback,
  attempt,
  by,
  claimAll,
  collect,
  createdAs,
  LEASE,
  NAMESPACES,
  NOT_CREATED,
  ORDER,
  REF,
  times,
  UNKNOWN,
} from "./fixtures.ts";
import { needs, rules } from "./setting.ts";

/** The record without its time, which depends on a clock, and what a custom store may lack. */
function withoutTime(record: OrderRecord | undefined): Partial<OrderRecord> | undefined {
  if (record === undefined) return undefined;
  const { since, unchargedIds: _ids, ...rest } = record;
  isTime(since);
  return rest;
}

const CARD = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
const { owner: _, ...CARD_RECORD } = CARD;

/** What can be read from a store. */
export const RECORD_RULES = rules({
  "get returns": {
    "an order in each state, with what is known about it": async ({ store, other }) => {
      const read = async () => withoutTime(await other.get(REF));
      const second = { ...CARD_RECORD, attempt: 2, earlierIds: [7], possibleDuplicates: [] };

      await attempt(store, createdAs("refused", 7));
      matches(await read(), { externalRef: REF, state: "free", attempt: 1, possibleDuplicates: [] });

      await store.claim(CARD, LEASE);
      equals(await read(), { ...second, state: "claimed" });

      await store.recordOutcome(CARD, UNKNOWN);
      equals(await read(), { ...second, state: "unresolved", reason: "no_response" });

      const { transactionId, transaction } = createdAs("approved");
      await store.recordOutcome(CARD, { outcome: "created", transactionId, transaction });
      equals(await read(), { ...second, state: "created", transactionId, transaction });
    },

    "possible duplicates, and an id beyond 2^53 - 1 without its transaction": async ({ store, other }) => {
      const transactionId = "90071992547409931234";
      await attempt(store, { outcome: "created", transactionId });
      equals(await other.claim(by("b"), LEASE), { state: "created", transactionId });
      await store.recordPostback(REF, aPostback("approved", 2));

      const { owner: _owner, ...terms } = ORDER;
      equals(withoutTime(await other.get(REF)), {
        ...terms,
        state: "created",
        attempt: 1,
        transactionId,
        earlierIds: [],
        possibleDuplicates: [{ id: 2, status: "approved" }],
      });
    },

    "undefined for a reference that is unknown or not valid": async ({ store }) => {
      await attempt(store, UNKNOWN);

      for (const reference of ["order-2", "order-1\u0000", "order-1\n", "order-\ud83d", ""]) {
        equals(await store.get(reference), undefined);
      }
      matches(await store.claim(by("a", "order-2"), LEASE), { state: "yours" });
    },
  },

  list: {
    "returns what get returns: of all orders, or by state or status": async ({ store, other }) => {
      await attempt(store, NOT_CREATED, by("a", "free"));
      await store.claim(by("a", "claimed"), LEASE);
      await attempt(store, UNKNOWN, by("a", "unresolved"));
      for (const status of ["pending", "approved"] as const) {
        await attempt(store, createdAs(status), by("a", status));
      }
      const expected: readonly (readonly [OrderFilter | undefined, readonly string[]])[] = [
        [undefined, ["approved", "claimed", "free", "pending", "unresolved"]],
        [{ state: "free" }, ["free"]],
        [{ state: "claimed" }, ["claimed"]],
        [{ state: "unresolved" }, ["unresolved"]],
        [{ state: "created" }, ["approved", "pending"]],
        [{ status: "approved" }, ["approved"]],
        [{ state: "unresolved", status: "approved" }, []],
      ];

      for (const [filter, references] of expected) {
        const orders = await collect(other.list(filter));
        equals(orders.map(({ externalRef }) => externalRef).toSorted(), references);
        for (const order of orders)
          equals(withoutTime(order), withoutTime(await store.get(order.externalRef)));
      }
    },

    "returns each of 1,200 orders once": async ({ store, other }) => {
      const references = times(1_200).map((nth) => `order-${nth}`);
      await claimAll(store, references);

      for (const filter of [{}, { state: "claimed" }] as const) {
        const found = await collect(other.list(filter));
        equals(found.map(({ externalRef }) => externalRef).toSorted(), references.toSorted());
      }
    },
  },

  "namespaces returns": {
    "none for an empty database, and one once it has an order": async ({ store, other }) => {
      equals(await store.namespaces(), []);

      await store.claim(ORDER, LEASE);

      equals((await other.namespaces()).length, 1);
    },

    "the names that have orders, sorted": needs("hasNamespaces", async ({ open, store }) => {
      for (const namespace of NAMESPACES) await (await open(namespace)).claim(ORDER, LEASE);

      equals(await store.namespaces(), NAMESPACES.toSorted());
    }),
  },
});
