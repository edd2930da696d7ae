import type { OrderRecord } from "../../contracts/idempotency-store.ts";
import type { PostbackDetails, PostbackKey } from "../../contracts/postback-store.ts";
import { equals, hasLeaseLeft, isTime, matches } from "./assertions.ts";
import {
  aPostback,
  attempt,
  collect,
  createdAs,
  LEASE,
  NAMESPACES,
  REF,
  REFERENCES,
  statesOf,
  times,
} from "./fixtures.ts";
import { needs, rules, type TestedStore } from "./setting.ts";

const KEY = { trust: "signed", externalRef: REF, id: 7, rawStatus: "approved", amount: 1990 } as const;
const REFUND = { ...KEY, rawStatus: "refunded" };
/** The postback of the transaction that {@link createdAs} records. */
const PAYMENT = { ...KEY, id: 1 };

const DETAILS: PostbackDetails = { signedAmount: 1990, transactionDate: "2026-01-02T03:04:05Z" };
/** The claim of a process that has not seen the callback start. */
const RETRY: PostbackDetails = { ...DETAILS, attempts: 0 };
const FAILURE = { name: "DatabaseError", code: "40P01", retryAfterMs: LEASE };

const claim = (store: TestedStore, key: PostbackKey, owner = "a", details = DETAILS) =>
  store.claimPostback(key, owner, LEASE, details);

/** A postback whose callback succeeded. */
async function handle(store: TestedStore, key: PostbackKey): Promise<void> {
  await claim(store, key);
  await store.confirmPostback(key, "a");
}

/** A postback whose callback failed. */
async function fail(store: TestedStore, key: PostbackKey, failure = FAILURE): Promise<void> {
  await claim(store, key);
  await store.releasePostback(key, "a", failure);
}

const openIn = (store: TestedStore) => collect(store.openPostbacks());

/** What identifies each open postback. */
const keysIn = async (store: TestedStore) =>
  (await openIn(store)).map(({ externalRef, id, rawStatus }) => `${externalRef} ${id} ${rawStatus}`);

/** The postbacks of the order, for its next one. */
async function orderIn(store: TestedStore) {
  const claimed = await claim(store, { ...KEY, id: 99, rawStatus: "pending" }, "look");
  await store.releasePostback({ ...KEY, id: 99, rawStatus: "pending" }, "look");
  return claimed.state === "yours" ? claimed.order : undefined;
}

const winnerIn = async (store: TestedStore) => (await orderIn(store))?.winner;

/** Claims the postback of a pending payment as a handler does, with the record that it has read before. */
async function claimWith(store: TestedStore, record: OrderRecord | undefined, owner = "a"): Promise<void> {
  const claimed = await claim(store, PAYMENT, owner, record ? { ...DETAILS, record } : DETAILS);
  equals(claimed.state, "yours");
  if (claimed.state !== "yours" || claimed.possibleDuplicates !== undefined) return;
  await store.recordPostback(REF, aPostback("approved"), record);
}

const statusIn = async (store: TestedStore) => {
  const { transaction, lastStatus } = (await store.get(REF)) ?? {};
  return transaction?.status ?? lastStatus;
};

/** Open postbacks of one order that a store keeps. */
const MAX_OPEN = 100;

/** What a store does with postbacks whose callback has not succeeded. Optional in a custom store. */
export const OPEN_POSTBACK_RULES = rules(
  {
    "an open postback": {
      "is recorded by its claim, and listed until it is confirmed": async ({ store, other }) => {
        const { trust: _, ...postback } = KEY;
        const claimed = await claim(store, KEY);

        const recorded = [{ id: 7, rawStatus: "approved", amount: 1990, amountMatches: true, isOpen: true }];
        matches(claimed, { state: "yours", handled: [], attempts: 1, order: { winner: 7, recorded } });
        const [listed] = await openIn(other);
        isTime(listed?.since ?? "");
        const { since } = listed ?? {};
        equals(listed, {
          ...{ ...postback, status: "approved", ...DETAILS },
          ...{ state: "running", attempts: 1, since },
        });

        await store.confirmPostback(KEY, "a");
        equals(await openIn(other), []);
        equals(await claim(other, KEY), { state: "done" });
      },

      "is recorded once if many try to claim it at once": async ({ store, callersAtOnce }) => {
        const claims = await callersAtOnce((each, owner) => claim(each, KEY, owner));

        equals(statesOf(claims), [...Array(19).fill("busy"), "yours"]);
        matches(await openIn(store), [{ attempts: 1 }]);
      },

      "is recorded while another one of its transaction is claimed": async ({ store, other }) => {
        await claim(store, KEY);

        hasLeaseLeft(await claim(other, REFUND, "b"), { state: "busy", isSame: false }, 0, LEASE);

        matches(await openIn(store), [
          { rawStatus: "approved", state: "running", attempts: 1 },
          { rawStatus: "refunded", state: "running", attempts: 0 },
        ]);
      },

      "that failed keeps the name and code of the error, and pauses before a retry": async ({
        store,
        other,
      }) => {
        await fail(store, KEY);

        const [failed] = await openIn(other);
        isTime(failed?.retryAt ?? "");
        const lastError = { name: "DatabaseError", code: "40P01" };
        matches(failed, { state: "failed", attempts: 1, lastError });
        hasLeaseLeft(await claim(other, KEY, "b", RETRY), { state: "busy", isSame: true }, 0, LEASE);

        const next = await claim(other, KEY, "b"); // delivered again
        matches(next, { state: "yours", attempts: 2 });
        isTime((next.state === "yours" && next.lastStartedAt) || "");
        matches(await openIn(store), [{ state: "running", attempts: 2 }]);
      },

      "may be retried by a process that has seen its last start, and by any once its pause is over": async ({
        store,
        other,
      }) => {
        await fail(store, KEY);
        matches(await claim(other, KEY, "b", { ...DETAILS, attempts: 1 }), { state: "yours", attempts: 2 });
        await other.releasePostback(KEY, "b", { ...FAILURE, retryAfterMs: 0 });

        matches(await claim(store, KEY, "a", RETRY), { state: "yours", attempts: 3 });
      },

      "that contradicted the record of its order keeps that": async ({ store, other }) => {
        await claim(store, KEY, "a", { ...DETAILS, contradictsRecord: true });
        await store.releasePostback(KEY, "a", FAILURE);

        const again = await claim(other, KEY, "b", { ...DETAILS, contradictsRecord: false });
        matches(again, { order: { recorded: [{ id: 7, contradictsRecord: true }] } });
      },

      "that failed before, and was released without another run, keeps its pause": async ({
        store,
        other,
      }) => {
        await fail(store, KEY);
        const [failed] = await openIn(other);
        await claim(other, KEY, "b"); // delivered again
        await other.releasePostback(KEY, "b");

        equals(await openIn(store), [failed]);
      },

      "that was released without a failure was not tried": async ({ store, other }) => {
        await claim(store, KEY);

        await store.releasePostback(KEY, "a");

        matches(await openIn(other), [{ state: "abandoned", attempts: 0 }]);
        matches(await claim(other, KEY, "b", RETRY), { state: "yours", attempts: 1 });
      },

      "is abandoned once its lease has ended, and not while it is renewed": async (setting) => {
        const { store, other, leaseMs, leaseEnds } = setting;
        await store.claimPostback(KEY, "a", leaseMs, DETAILS);
        await store.renewPostback(KEY, "a", 3 * LEASE);
        await claim(other, { ...KEY, id: 8 }, "b"); // writes the same record
        await leaseEnds();
        matches((await openIn(other))[0], { id: 7, state: "running" });

        await store.renewPostback(KEY, "a", leaseMs);
        await leaseEnds();
        matches((await openIn(other))[0], { id: 7, state: "abandoned", attempts: 1 });

        equals(await store.confirmPostback(KEY, "a"), true); // late, but it did succeed
        equals(await keysIn(other), [`${REF} 8 approved`]);
      },

      "is not one that was claimed without details, is unsigned, or has no reference": async ({ store }) => {
        const unsigned = { ...KEY, trust: "unsigned" } as const;
        const withoutReference = { ...KEY, externalRef: "" };
        for (const [key, details] of [
          [KEY, undefined],
          [unsigned, DETAILS],
          [withoutReference, DETAILS],
        ] as const) {
          equals(await store.claimPostback(key, "a", LEASE, details), { state: "yours", handled: [] });
          await store.releasePostback(key, "a", FAILURE);
        }

        equals(await openIn(store), []);
      },

      "of a reference with any characters is listed and closed": async ({ store, other }) => {
        for (const externalRef of REFERENCES) await fail(store, { ...KEY, externalRef });

        const listed = (await openIn(other)).map(({ externalRef }) => externalRef);
        equals(listed.toSorted(), REFERENCES.toSorted());
        for (const externalRef of REFERENCES) equals((await other.closePostbacks(externalRef)).length, 1);
        equals(await openIn(store), []);
      },

      "keeps the name of an error with any characters": async ({ store, other }) => {
        await fail(store, KEY, { ...FAILURE, name: "Nul\0" });

        matches((await openIn(other))[0]?.lastError, { code: FAILURE.code });
      },

      "is kept while its callback runs, and if it is about money, in a flood of others of its order": async ({
        store,
      }) => {
        for (const id of times(MAX_OPEN - 1)) await fail(store, { ...KEY, id, rawStatus: "pending" });
        await claim(store, { ...KEY, id: 400, rawStatus: "pending" });
        for (const id of [401, 402]) await fail(store, { ...KEY, id, rawStatus: "pending" });
        equals((await openIn(store)).length, MAX_OPEN);

        await fail(store, { ...KEY, id: 500 });
        await fail(store, { ...REFUND, id: 501, amount: 5 });

        const listed = await openIn(store);
        equals(listed.length, MAX_OPEN);
        matches(listed.slice(-3), [{ id: 400 }, { id: 500 }, { id: 501 }]);
        matches(listed[0], { id: 0 });
      },
    },

    "the postbacks of an order": {
      "have one winner: the first approved over the signed amount": async ({ store }) => {
        await handle(store, { ...KEY, id: 1, amount: 5 });
        equals(await winnerIn(store), undefined);

        await claim(store, { ...KEY, id: 2, rawStatus: "pending" });
        await fail(store, { ...KEY, id: 3 });
        equals(await winnerIn(store), 3);

        await handle(store, { ...KEY, id: 1 });
        await handle(store, { ...REFUND, id: 3 });
        equals(await winnerIn(store), 3);
      },

      "have as winner a transaction that was paid without a postback, if there was none before": async ({
        store,
        other,
      }) => {
        await fail(store, { ...KEY, id: 1, amount: 5 }); // approved, over another amount
        await claim(store, { ...KEY, id: 2, rawStatus: "pending" }, "a", {
          ...DETAILS,
          paid: { id: 1, isGivenBack: false },
        });
        equals(await winnerIn(store), 1);

        const ofOther = { ...KEY, externalRef: "order-2" };
        const unknown = { ...DETAILS, isRecordUnknown: true };
        matches(await claim(store, ofOther, "a", unknown), { order: { recorded: [{ id: 7 }] } });
        await store.releasePostback(ofOther, "a");
        const paid = { ...DETAILS, paid: { id: 5, isGivenBack: true } };
        matches(await claim(other, ofOther, "b", paid), { order: { winner: 5 } });
      },

      "are returned in the order in which they arrived": async ({ store }) => {
        await fail(store, { ...KEY, id: 2, rawStatus: "pending" });
        await claim(store, { ...KEY, id: 1, amount: 5 });
        await claim(store, { ...REFUND, id: 1 }); // busy
        await store.confirmPostback({ ...KEY, id: 1, amount: 5 }, "a");
        await handle(store, { ...KEY, id: 2 });

        matches((await orderIn(store))?.recorded, [
          { id: 2, rawStatus: "pending", amountMatches: true, isOpen: true },
          { id: 1, rawStatus: "approved", amountMatches: false, isOpen: false },
          { id: 1, rawStatus: "refunded", amountMatches: true, isOpen: true },
          { id: 2, rawStatus: "approved", amountMatches: true, isOpen: false },
          { id: 99 },
        ]);
      },
    },

    openPostbacks: {
      "lists the oldest first, of all orders": async ({ store, other }) => {
        const references = ["order-2", "order-1", "order-3", "order-1"];
        for (const [id, externalRef] of references.entries()) {
          await claim(store, { ...KEY, externalRef, id });
          await new Promise((resolve) => setTimeout(resolve, 2)); // times have milliseconds
        }

        const expected = references.map((externalRef, id) => `${externalRef} ${id} approved`);
        equals(await keysIn(other), expected);
      },

      "lists those of its namespace": needs("hasNamespaces", async ({ open }) => {
        for (const namespace of NAMESPACES) {
          const store = await open(namespace);
          equals(await openIn(store), []);
          await claim(store, KEY);
        }
      }),
    },

    "a claim with the order's record": {
      "updates the record, or leaves that to recordPostback": async ({ store, other }) => {
        await attempt(store, createdAs("pending"));
        await claim(store, { ...KEY, id: 2 }); // a record of postbacks exists

        await claimWith(store, await store.get(REF));

        equals(await statusIn(other), "approved");
        equals((await openIn(other)).length, 2);
      },

      "reports other transactions that may have charged, as recordPostback does": async ({ store }) => {
        await attempt(store, createdAs("pending"));
        await store.recordPostback(REF, aPostback("approved", 2));
        const record = await store.get(REF);

        const claimed = await claim(store, PAYMENT, "a", { ...DETAILS, record });

        const { possibleDuplicates = await store.recordPostback(REF, aPostback("approved"), record) } =
          claimed.state === "yours" ? claimed : {};
        equals(possibleDuplicates, [{ id: 2, status: "approved" }]);
      },

      "does not undo a later change of the record": async ({ store, other }) => {
        await attempt(store, createdAs("pending"));
        const record = await store.get(REF);
        await other.recordPostback(REF, aPostback("approved"));
        await other.recordPostback(REF, aPostback("refunded"));

        await claimWith(store, record);

        equals(await statusIn(other), "refunded");
      },

      "does not update the record while another postback of the transaction is handled": async ({
        store,
        other,
      }) => {
        await attempt(store, createdAs("pending"));
        await claim(other, { ...PAYMENT, rawStatus: "pending" }, "b");

        const record = await store.get(REF);
        const claimed = await claim(store, PAYMENT, "a", { ...DETAILS, record });

        equals([claimed.state, await statusIn(other)], ["busy", "pending"]);
      },

      "does not undo what a person recorded after its callback failed": async ({ store, other }) => {
        await attempt(store, createdAs("pending"));
        await claimWith(store, await store.get(REF));
        await store.releasePostback(PAYMENT, "a", FAILURE);
        await other.resolve(REF, { transactionId: 1, status: "cancelled" });

        const record = await store.get(REF);
        const claimed = await claim(store, PAYMENT, "b", { ...DETAILS, record });

        equals([claimed.state, await statusIn(other)], ["yours", "cancelled"]);
      },
    },

    closePostbacks: {
      "ends those of an order that are not running, as if they were handled": async ({ store, other }) => {
        await fail(store, KEY);
        await fail(store, { ...KEY, id: 8 });
        await claim(store, { ...KEY, id: 9 });
        await fail(store, { ...KEY, externalRef: "order-2" });

        matches(await other.closePostbacks(REF), [
          { id: 7, state: "failed" },
          { id: 8, state: "failed" },
        ]);

        equals((await keysIn(store)).toSorted(), [`${REF} 9 approved`, "order-2 7 approved"]);
        equals(await claim(store, KEY, "b"), { state: "done" });
        equals(await store.confirmPostback({ ...KEY, id: 9 }, "a"), true);
        equals([await store.closePostbacks(REF), await store.closePostbacks("order-3")], [[], []]);
        equals(await winnerIn(store), 7);
      },
    },
  },
  "hasPostbacks",
  "openPostbacks",
);
