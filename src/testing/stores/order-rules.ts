import assert from "node:assert/strict";
import type {
  AttemptOutcome,
  IdempotencyStore,
  OrderRecord,
  StoredTransaction,
} from "../../contracts/idempotency-store.ts";
import { eventually } from "../waiting.ts";
import { equals, hasLeaseLeft, isTime, matches, rejects } from "./assertions.ts";
import {
  aPostback,
  attempt,
  by,
  collect,
  createdAs,
  idsIn,
  LEASE,
  listed,
  NAMESPACES,
  NOT_CREATED,
  ORDER,
  REF,
  REFERENCES,
  referencesIn,
  stateOf,
  statesOf,
  times,
  UNKNOWN,
} from "./fixtures.ts";
import { forEach, needs, rules } from "./setting.ts";

const EACH_FIELD: StoredTransaction = {
  id: Number.MAX_SAFE_INTEGER,
  status: "approved",
  rawStatus: "PAID",
  amount: Number.MAX_SAFE_INTEGER,
  paymentMethod: "pix",
  externalId: "ação 订单 🛒 ' \" \\ $1 %s \\u0000",
  secureUrl: "https://pay.example/a?b=c&d=%20",
  installments: 1,
  paidAmount: 0,
  pix: { qrcodeText: "0002\n\t01", expirationDate: "2026-11-22T23:59:59-03:00" },
};

/** A database may truncate them, or replace the character. */
const INVALID = ["order-1\0", "order-1\x002", "order-1\n", "order-1\x7f", "order-1\x85", "order-\ud83d"];

/** What PaymentsClient, a signed postback and a person may do with an order. */
export const ORDER_RULES = rules({
  "an order": {
    "belongs to the first caller that claims it, until the lease ends": async ({ store, other }) => {
      equals(await store.claim(ORDER, LEASE), { state: "yours" });

      hasLeaseLeft(await other.claim(by("b"), LEASE), { state: "claimed" }, LEASE - 15_000, LEASE);
      matches(await store.claim(ORDER, LEASE), { state: "claimed" });
    },

    "claimed on other terms is a conflict": async ({ store }) => {
      await store.claim(ORDER, LEASE);

      const conflict = { state: "conflict", earlier: "claimed" };
      equals(await store.claim({ ...by("b"), amount: 1991 }, LEASE), conflict);
      equals(await store.claim({ ...by("b"), paymentMethod: "credit_card" }, LEASE), conflict);
    },

    "whose lease has ended is listed until its owner ends it": async ({
      store,
      other,
      leaseMs,
      loseLease,
    }) => {
      await loseLease(async () => {
        equals(await listed(other), []);
        matches(await other.get(REF), { state: "claimed" });
        equals(await store.renew(ORDER, leaseMs), true);
      });

      equals(await other.claim(by("b"), LEASE), { state: "unresolved" });
      equals(await store.renew(ORDER, LEASE), false);
      const unresolved = { externalRef: REF, attempt: 1, reason: "not_reported" };
      matches(await listed(other), [unresolved]);
      for (const each of [other, store]) matches(await each.get(REF), { ...unresolved, state: "unresolved" });
      equals(idsIn(await store.recordOutcome(ORDER, createdAs("approved"))), []);
      equals(await stateOf(other), "created");
    },

    "is renewed only by its owner, for the requested time": async ({ store, other, loseLease }) => {
      await loseLease(async () => {
        equals(await other.renew(by("b"), LEASE), false);
        equals(await store.renew(ORDER, 3 * LEASE), true);
      });

      hasLeaseLeft(await other.claim(by("b"), LEASE), { state: "claimed" }, LEASE, 3 * LEASE);
    },

    "whose process no longer renews it waits for the end of its lease, however it is listed": async (
      setting,
    ) => {
      const { store, other, leaseMs, pass, leaseEnds } = setting;
      await store.claim(ORDER, LEASE, { heartbeatMs: 10 });
      await pass(100);

      matches(await other.claim(by("b"), LEASE, { replaceLost: true }), { state: "claimed" });
      await rejects(other.resolve(REF, { charged: false }), { code: "outcome_pending" });
      equals(await store.renew(ORDER, leaseMs), true); // shorter, so that its end need not be awaited for long
      await leaseEnds();
      matches(await listed(other), [{ externalRef: REF, reason: "not_reported" }]);
    },

    "that is created returns its transaction exactly as it was recorded": async ({ store, other }) => {
      const { id: transactionId } = EACH_FIELD;
      const end = { outcome: "created", transactionId, transaction: EACH_FIELD } as const;
      equals(idsIn(await attempt(store, end)), []);

      const { outcome: _, ...created } = end;
      equals(await other.claim(by("b"), LEASE), { state: "created", ...created });
    },

    "whose outcome is unknown is listed with all that is known about it": async ({ store, other }) => {
      const card = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
      await attempt(store, createdAs("refused", 7));
      const start = Date.now();
      await attempt(store, UNKNOWN, card);

      equals(await other.claim({ ...card, owner: "b" }, LEASE), { state: "unresolved" });
      const [{ since = "", ...found } = {}, ...others] = await listed(other);
      const { owner: _, ...terms } = card;
      const { unchargedIds: _ids, ...known } = found as Partial<OrderRecord>; // a custom store may lack them
      equals(known, { ...terms, attempt: 2, reason: "no_response", earlierIds: [7] });
      equals(others, []);
      isTime(since);
      // The clock of a server, and rounding.
      const differenceMs = Math.abs(Date.parse(since) - start);
      assert(differenceMs < 60_000, `since is ${differenceMs} ms away from the time of this process`);
    },

    "keeps and reports the transactions of two attempts": async ({ store, other, loseLease }) => {
      await loseLease();
      await other.resolve(REF, { charged: false });
      await other.claim(by("b"), LEASE);

      equals(idsIn(await store.recordOutcome(ORDER, createdAs("approved", 1))), []);
      equals(idsIn(await other.recordOutcome(by("b"), createdAs("approved", 2))), [1]);

      matches(await store.claim(by("c"), LEASE), { state: "created", transactionId: 2 });
    },

    "that the store has lost is recorded again when it ends": async ({ store }) => {
      equals(idsIn(await store.recordOutcome(by("a", "created"), createdAs("approved"))), []);
      equals(idsIn(await store.recordOutcome(by("a", "unknown"), UNKNOWN)), []);

      equals(await stateOf(store, "created"), "created");
      equals(await stateOf(store, "unknown"), "unresolved");
    },

    ...forEach<readonly AttemptOutcome[]>(
      "that is %s is claimed by one caller if many try at once",
      { unclaimed: [], "free again": [NOT_CREATED] },
      async ({ store, callersAtOnce }, ends) => {
        for (const end of ends) await attempt(store, end);

        const claims = await callersAtOnce((caller, owner) => caller.claim(by(owner), LEASE));

        equals(statesOf(claims), [...Array(19).fill("claimed"), "yours"]);
      },
    ),

    ...forEach<AttemptOutcome>(
      "that %s is free, and may be sent again on other terms",
      { "was refused": createdAs("refused"), "was not sent": NOT_CREATED },
      async ({ store, other }, end) => {
        await attempt(store, end);

        equals(await other.claim({ ...by("b"), amount: 5 }, LEASE), { state: "yours" });
        equals(await listed(store), []);
      },
    ),

    "that has ended is deleted after its retention, and an unresolved one never is": needs(
      "retentionDays",
      async ({ open, store, passRetention }) => {
        /** Old records are deleted by later writes of a newly opened store. */
        const write = async () => attempt(await open(), NOT_CREATED, by("a", crypto.randomUUID()));
        await attempt(store, createdAs("approved"), by("a", "created"));
        await attempt(store, UNKNOWN, by("a", "unknown"));
        await store.claim(by("a", "crashed"), LEASE);

        await passRetention(-1);
        await write();
        equals(await stateOf(store, "created"), "created");

        await passRetention(0);
        await eventually(async () => {
          await write();
          equals(await stateOf(store, "created"), "yours");
        });
        equals(await stateOf(store, "unknown"), "unresolved");
        equals(await stateOf(store, "crashed"), "unresolved");
      },
    ),
  },

  "a signed postback of an order": {
    "settles an unresolved order, and updates a created one": async ({ store, other }) => {
      await attempt(store, UNKNOWN);

      equals(await other.recordPostback(REF, aPostback("pending")), []);
      equals(await listed(store), []);
      matches(await store.claim(by("b"), LEASE), { state: "created", transactionId: 1 });
      await other.recordPostback(REF, aPostback("approved"));

      matches(await store.claim(by("b"), LEASE), { transaction: { status: "approved" } });
    },

    "with the status expired frees it, and for an unknown order changes nothing": async ({ store }) => {
      await attempt(store, createdAs("pending"));

      await store.recordPostback(REF, aPostback("expired"));
      equals(await store.recordPostback("unknown", aPostback("approved")), []);

      equals(await stateOf(store), "yours");
      equals(await stateOf(store, "unknown"), "yours");
    },

    "and the end of the attempt do not overwrite each other, in any order": async ({ store, other }) => {
      const references = times(20).map((nth) => `order-${nth}`);
      await Promise.all(references.map((reference) => store.claim(by("a", reference), LEASE)));

      await Promise.all(
        references.flatMap((reference, nth) => {
          const both = [
            () => store.recordOutcome(by("a", reference), createdAs("pending")),
            () => other.recordPostback(reference, aPostback("approved")),
          ];
          return (nth % 2 === 0 ? both : both.toReversed()).map((run) => run());
        }),
      );

      const claims = await Promise.all(references.map((reference) => other.claim(by("b", reference), LEASE)));
      const transaction = { status: "approved", pix: { qrcodeText: "00020101" } };
      matches(claims, Array(20).fill({ state: "created", transaction }));
    },

    "is not lost among concurrent ones, and returns the possible duplicates": async ({ store, other }) => {
      await store.claim(ORDER, LEASE);
      const ids = times(10).map((nth) => nth + 11);

      const record = (id: number) => (id % 2 ? store : other).recordPostback(REF, aPostback("approved", id));
      await Promise.all(ids.map(record));

      const duplicates = idsIn(await store.recordOutcome(ORDER, createdAs("approved", 1)));
      equals(duplicates.map(Number).toSorted(), ids);
      const settled = await other.recordPostback(REF, aPostback("approved", 2));
      equals(settled.map(({ id }) => Number(id)).toSorted(), [1, ...ids]);
    },
  },

  "a person": {
    "resolves an order as free or created": async ({ store, other }) => {
      for (const reference of ["free", "created"]) await attempt(store, UNKNOWN, by("a", reference));

      equals(await other.resolve("free", { charged: false }), { state: "free" });
      const transaction = { id: 5, status: "approved" } as const;
      const resolved = await other.resolve("created", { transactionId: 5, status: "approved" });
      matches(resolved, { state: "created", transactionId: 5, transaction });

      equals(await listed(store), []);
      equals(await stateOf(store, "free"), "yours");
      matches(await store.claim(by("b", "created"), LEASE), { transactionId: 5 });
    },

    "cannot resolve an order in flight or an unknown one, or deny a transaction": async ({ store }) => {
      await store.claim(by("a", "claimed"), LEASE);
      await attempt(store, createdAs("approved"), by("a", "created"));
      const deny = (reference: string) => store.resolve(reference, { charged: false });

      await rejects(deny("claimed"), { code: "outcome_pending" });
      await rejects(deny("created"), { code: "invalid_request" });
      await rejects(deny("unknown"), { code: "invalid_request" });

      equals(await store.renew(by("a", "claimed"), LEASE), true);
      equals(await stateOf(store, "created"), "created");
    },

    "is refused if another person was faster and reported something else": async ({ store, other }) => {
      await attempt(store, UNKNOWN);

      const [first, second] = await Promise.allSettled([
        store.resolve(REF, { transactionId: 1, status: "approved" }),
        other.resolve(REF, { transactionId: 2, status: "approved" }),
      ]);

      equals([first.status, second.status].toSorted(), ["fulfilled", "rejected"]);
      const transactionId = first.status === "fulfilled" ? 1 : 2;
      matches(await store.claim(by("b"), LEASE), { transactionId });
    },

    "replaces a transaction recorded by mistake in one step: no create call is sent meanwhile": async ({
      store,
      other,
      callersAtOnce,
    }) => {
      await attempt(store, UNKNOWN);
      await store.resolve(REF, { transactionId: 1, status: "approved" });

      const found = { transactionId: 2, status: "approved", replaces: 1 } as const;
      const states = await callersAtOnce(async (caller, owner) => {
        const isPerson = owner === "o-3";
        return isPerson ? caller.resolve(REF, found) : caller.claim(by(owner), LEASE);
      });

      equals(statesOf(states), Array(20).fill("created"));
      matches(await other.get(REF), { transactionId: 2, earlierIds: [], possibleDuplicates: [] });
    },

    "who recorded a transaction by mistake can record that there is none": async ({ store, other }) => {
      await attempt(store, UNKNOWN);
      await store.resolve(REF, { transactionId: "1", status: "pending" });

      equals(await other.resolve(REF, { charged: false, replaces: 1 }), { state: "free" });

      matches(await store.get(REF), { state: "free", earlierIds: [], possibleDuplicates: [] });
    },

    ...forEach<(store: IdempotencyStore) => Promise<unknown>>(
      "does not replace a transaction that %s",
      {
        "another person has replaced": (store) =>
          store.resolve(REF, { transactionId: 3, status: "approved", replaces: 1 }),
        "a signed postback has named": (store) => store.recordPostback(REF, aPostback("approved")),
        "the response of its attempt has named": (store) => store.recordOutcome(ORDER, createdAs("approved")),
      },
      async ({ store, other }, change) => {
        await attempt(store, UNKNOWN);
        await store.resolve(REF, { transactionId: 1, status: "approved" });
        await change(store);
        const before = await other.get(REF);

        const findings = [{ transactionId: 2, status: "approved" }, { charged: false }] as const;
        for (const finding of findings) {
          await rejects(other.resolve(REF, { ...finding, replaces: 1 }), { code: "invalid_request" });
        }

        matches(await store.get(REF), { transactionId: before?.transactionId, possibleDuplicates: [] });
      },
    ),

    "sees every unresolved order once, and no other order": async ({ store, other }) => {
      const ends = [UNKNOWN, NOT_CREATED, createdAs("approved")] as const;
      const references = times(120).map((nth) => `order-${nth}`);
      const end = (reference: string, nth: number) =>
        attempt(store, ends[nth % 3] ?? UNKNOWN, by("a", reference));
      await Promise.all(references.map(end));

      equals(await referencesIn(other), references.filter((_, nth) => nth % 3 === 0).toSorted());
    },

    ...forEach<(store: IdempotencyStore, olderThanMs: number) => AsyncIterable<unknown>>(
      "can leave out recent changes from %s",
      {
        unresolved: (store, olderThanMs) => store.unresolved({ olderThanMs }),
        list: (store, olderThanMs) => store.list({ olderThanMs }),
      },
      async ({ store, leaseMs, leaseEnds }, list) => {
        await attempt(store, UNKNOWN);

        equals(await collect(list(store, leaseMs)), []);
        await leaseEnds();

        matches(await collect(list(store, leaseMs)), [{ externalRef: REF }]);
      },
    ),

    ...forEach<(store: IdempotencyStore) => AsyncIterable<{ readonly externalRef: string }>>(
      "can resolve the orders of %s while they are listed, and stop early",
      {
        unresolved: (store) => store.unresolved(),
        list: (store) => store.list({ state: "unresolved" }),
      },
      async ({ store, other }, list) => {
        for (const nth of times(3)) await attempt(store, UNKNOWN, by("a", `order-${nth}`));

        let left = 2;
        for await (const { externalRef } of list(store)) {
          await other.resolve(externalRef, { charged: false });
          left -= 1;
          if (left === 0) break;
        }

        equals((await collect(list(store))).length, 1);
      },
    ),
  },

  references: {
    "with any characters identify separate orders, and are returned unchanged": async ({ store, other }) => {
      const each = <Result>(run: (reference: string, nth: number) => Promise<Result>) =>
        Promise.all(REFERENCES.map(run));

      const claims = await each((reference) => store.claim(by("a", reference), LEASE));
      equals(statesOf(claims), Array(REFERENCES.length).fill("yours"));
      const renewals = await each((reference) => store.renew(by("a", reference), LEASE));
      equals(renewals, Array(REFERENCES.length).fill(true));
      await each((reference) => store.recordOutcome(by("a", reference), UNKNOWN));
      equals(await referencesIn(other), REFERENCES.toSorted());
      await each((reference, nth) => other.recordPostback(reference, aPostback("approved", nth + 1)));

      const expected = REFERENCES.map((_, nth) => ({ state: "created", transactionId: nth + 1 }));
      matches(await each((reference) => other.claim(by("b", reference), LEASE)), expected);
      equals(await listed(store), []);
    },

    ...forEach(
      "with control characters or half of a surrogate pair have no record: %s",
      Object.fromEntries(INVALID.map((reference) => [JSON.stringify(reference), reference])),
      async ({ store }, reference) => {
        const close = ["order-1", "order-\ufffd"];
        for (const known of close) await attempt(store, UNKNOWN, by("a", known));

        const refusal = { code: "invalid_request", issues: [{ field: "externalRef" }] };
        await rejects(store.claim(by("b", reference), LEASE), refusal);
        await rejects(store.recordOutcome(by("b", reference), createdAs("pending")), refusal);
        await rejects(store.resolve(reference, { charged: false }), refusal);
        equals(await store.renew(by("b", reference), LEASE), false);
        equals(await store.recordPostback(reference, aPostback("approved")), []);

        equals(await referencesIn(store), close);
      },
    ),
  },

  "a namespace": {
    "separates its orders from the orders of every other": needs("hasNamespaces", async ({ open }) => {
      const stores = await Promise.all(NAMESPACES.map(open));

      for (const [nth, store] of stores.entries()) {
        equals(await store.claim(ORDER, LEASE), { state: "yours" });
        await store.recordOutcome(ORDER, nth === 0 ? UNKNOWN : createdAs("approved", nth));
      }

      for (const [nth, store] of stores.entries()) {
        equals(await referencesIn(store), nth === 0 ? [REF] : []);
        const expected = nth === 0 ? { state: "unresolved" } : { state: "created", transactionId: nth };
        matches(await store.claim(by("b"), LEASE), expected);
      }
    }),
  },
});
