import assert from "node:assert/strict";
import type {
  AttemptOutcome,
  Claim,
  ClaimedOrder,
  IdempotencyStore,
} from "../../contracts/idempotency-store.ts";
import { equals, matches } from "./assertions.ts";
import {
  aPostback,
  attempt,
  by,
  createdAs,
  LEASE,
  NOT_CREATED,
  ORDER,
  REF,
  statesOf,
  UNKNOWN,
} from "./fixtures.ts";
import { forEach, rules, type Setting } from "./setting.ts";

const replace = (store: IdempotencyStore, order: ClaimedOrder = by("b")): Promise<Claim> =>
  store.claim(order, LEASE, { replaceLost: true });

/** A pix of owner `a` whose outcome is unknown, and its replacement of owner `b`, whose outcome is unknown too. */
async function loseBoth(store: IdempotencyStore): Promise<void> {
  await attempt(store, UNKNOWN);
  equals(await replace(store), { state: "yours" });
  await store.recordOutcome(by("b"), UNKNOWN);
}

/** Records an end. Fails unless the store reports whether the order has another pix by now. */
async function endAs(isReplaced: boolean, store: IdempotencyStore, owner: string, end: AttemptOutcome) {
  const ended = await store.recordOutcome(by(owner), end);
  assert(
    "isReplaced" in ended,
    "recordOutcome() must return isReplaced, or two calls could show a code for one order",
  );
  const expected = isReplaced ? "the order has another pix" : "this is the pix of the order";
  const message = `isReplaced of owner ${owner} must be ${isReplaced}: ${expected}`;
  assert.equal(ended.isReplaced, isReplaced, message);
}

/** Ways to lose the code of a pix. */
const LOSSES: Readonly<Record<string, (setting: Setting) => Promise<unknown>>> = {
  "got no answer": ({ store }) => attempt(store, UNKNOWN),
  "was never reported": ({ loseLease }) => loseLease(),
  "is known only from a postback, without its code": async ({ store }) => {
    await attempt(store, UNKNOWN);
    await store.recordPostback(REF, aPostback("pending"));
  },
};

/** A claim with the option `replaceLost`. */
export const REPLACEMENT_RULES = rules({
  "a pix": {
    ...forEach("that %s is replaced by a claim that asks for it", LOSSES, async (setting, lose) => {
      const { store, other } = setting;
      await lose(setting);

      await other.claim(by("b"), LEASE);
      matches(await store.get(REF), { attempt: 1 });

      equals(await replace(other), { state: "yours" });
      matches(await store.get(REF), { state: "claimed", attempt: 2 });
    }),

    "is not replaced while its lease lives, or on other terms": async ({ store, other }) => {
      await store.claim(ORDER, LEASE);
      matches(await replace(other), { state: "claimed" });

      await store.recordOutcome(ORDER, UNKNOWN);
      equals(await replace(other, { ...by("b"), amount: 5 }), { state: "conflict", earlier: "unresolved" });
      matches(await store.get(REF), { state: "unresolved", attempt: 1 });
    },

    "that is lost is replaced by one caller if many try at once": async ({ store, callersAtOnce }) => {
      await attempt(store, UNKNOWN);

      const claims = await callersAtOnce((caller, owner) => replace(caller, by(owner)));

      equals(statesOf(claims), [...Array(19).fill("claimed"), "yours"]);
    },

    "that is created after it was replaced is reported as replaced": async ({ store, other, loseLease }) => {
      await loseLease();
      equals(await replace(other), { state: "yours" });

      await endAs(true, store, "a", createdAs("pending", 1));
      await endAs(false, other, "b", createdAs("pending", 2));
      await endAs(true, store, "a", createdAs("pending", 1));

      matches(await store.claim(by("c"), LEASE), { state: "created", transactionId: 2 });
    },
  },

  "an order": {
    "of a card payment is not replaced": async ({ store, other }) => {
      const card = { ...ORDER, paymentMethod: "credit_card", installments: "1" } as const;
      await attempt(store, UNKNOWN, card);

      equals(await replace(other, { ...card, owner: "b" }), { state: "unresolved" });
    },

    "that is free or created is claimed as without the option": async ({ store, other }) => {
      await attempt(store, NOT_CREATED, by("a", "free"));
      await attempt(store, createdAs("pending"), by("a", "created"));

      equals(await replace(other, by("b", "unclaimed")), { state: "yours" });
      equals(await replace(other, by("b", "free")), { state: "yours" });
      matches(await replace(other, by("b", "created")), { state: "created", transactionId: 1 });
    },
  },

  "a replaced pix": {
    "that is created is the pix of the order if its replacement is lost, too": async ({ store, other }) => {
      await loseBoth(store);

      await endAs(false, store, "a", createdAs("pending", 1));
      await endAs(true, other, "b", createdAs("pending", 2));

      matches(await store.claim(by("c"), LEASE), { state: "created", transactionId: 1 });
    },

    "that is paid settles the order if its replacement is lost, too, and is reported if that is paid":
      async ({ store, other }) => {
        await loseBoth(store);

        equals(await other.recordPostback(REF, aPostback("approved", 1)), []);

        const transaction = { status: "approved" };
        matches(await store.claim(by("c"), LEASE), { state: "created", transactionId: 1, transaction });
        equals(await other.recordPostback(REF, aPostback("approved", 2)), [{ id: 1, status: "approved" }]);
      },

    "that is paid settles the order, although its replacement was created": async ({ store, other }) => {
      await attempt(store, UNKNOWN);
      await replace(other);
      await other.recordOutcome(by("b"), createdAs("pending", 2));

      equals(await store.recordPostback(REF, aPostback("approved", 1)), [{ id: 2, status: "pending" }]);

      matches(await other.get(REF), {
        ...{ state: "created", transactionId: 1, transaction: { status: "approved" } },
        possibleDuplicates: [{ id: 2, status: "pending" }],
      });
    },

    "is unresolved again if its replacement was not created, or was refused": async ({ store, other }) => {
      const ends = { "not-created": NOT_CREATED, refused: createdAs("refused", 2) };
      for (const [ref, end] of Object.entries(ends)) {
        await attempt(store, UNKNOWN, by("a", ref));
        await replace(other, by("b", ref));

        await other.recordOutcome(by("b", ref), end);

        equals(await store.claim(by("c", ref), LEASE), { state: "unresolved" });
      }
    },

    "that expired does not free the order while its replacement may be paid": async ({ store, other }) => {
      await loseBoth(store);

      await other.recordPostback(REF, aPostback("expired", 1));
      matches(await store.get(REF), { state: "unresolved" });

      await other.recordPostback(REF, aPostback("expired", 2));
      matches(await store.get(REF), { state: "free" });
    },
  },
});
