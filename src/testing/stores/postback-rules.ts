import type { PostbackClaim, PostbackKey, PostbackStore } from "../../contracts/postback-store.ts";
import { eventually } from "../waiting.ts";
import { equals, hasLeaseLeft, matches } from "./assertions.ts";
import { LEASE, NAMESPACES, REF, REFERENCES, statesOf } from "./fixtures.ts";
import { forEach, needs, rules, type Setting } from "./setting.ts";

const KEY = { trust: "signed", externalRef: REF, id: 7, rawStatus: "approved", amount: 1990 } as const;

const claimed = (...handled: (readonly [rawStatus: string, amount: number])[]): PostbackClaim => ({
  state: "yours",
  handled: handled.map(([rawStatus, amount]) => ({ rawStatus, amount })),
});

async function handle(store: PostbackStore, key: PostbackKey): Promise<void> {
  await store.claimPostback(key, "handler", LEASE);
  await store.confirmPostback(key, "handler");
}

/** Claims a postback whose lease has ended. A store may give its owner a last chance to renew. */
async function takeOver(
  { store, pass }: Setting,
  key: PostbackKey,
  owner: string,
  leaseMs: number = LEASE,
): Promise<PostbackClaim> {
  const claim = await store.claimPostback(key, owner, leaseMs);
  if (claim.state !== "busy") return claim;
  matches(claim, { isOverdue: true });
  await pass(claim.leaseLeftMs + 5);
  return store.claimPostback(key, owner, leaseMs);
}

/** Claims the postback as owner `a`, and waits until its lease has ended. */
async function loseClaim({ store, leaseMs, leaseEnds }: Setting): Promise<void> {
  await store.claimPostback(KEY, "a", leaseMs);
  await leaseEnds();
}

/** What a postback handler may do with postbacks. */
export const POSTBACK_RULES = rules(
  {
    "a postback": {
      "belongs to the first caller that claims it, until the lease ends": async ({ store, other }) => {
        equals(await store.claimPostback(KEY, "a", LEASE), claimed());

        const claim = await other.claimPostback(KEY, "b", LEASE);
        hasLeaseLeft(claim, { state: "busy", isSame: true }, LEASE - 15_000, LEASE);
        matches(await store.claimPostback(KEY, "a", LEASE), { state: "busy" });
      },

      "is claimed by one handler if many try at once": async ({ callersAtOnce }) => {
        const claims = await callersAtOnce((store, owner) => store.claimPostback(KEY, owner, LEASE));

        equals(statesOf(claims), [...Array(19).fill("busy"), "yours"]);
      },

      "that was confirmed is done permanently": async ({ store, other, leaseMs, leaseEnds }) => {
        await store.claimPostback(KEY, "a", leaseMs);

        equals(await store.confirmPostback(KEY, "a"), true);

        await leaseEnds();
        equals(await other.claimPostback(KEY, "b", LEASE), { state: "done" });
        equals(await store.confirmPostback(KEY, "a"), false);
        await store.releasePostback(KEY, "a");
        await other.claimPostback({ ...KEY, rawStatus: "refunded" }, "b", LEASE);
        equals(await store.claimPostback(KEY, "c", LEASE), { state: "done" });
      },

      "that was released is free, and is neither renewed nor released again": async ({ store, other }) => {
        await store.claimPostback(KEY, "a", LEASE);

        await store.releasePostback(KEY, "a");

        equals(await store.renewPostback(KEY, "a", LEASE), false);
        await store.releasePostback(KEY, "a");
        equals(await other.claimPostback(KEY, "b", LEASE), claimed());
      },

      "gets the handled ones of its transaction, in that order": async ({ store }) => {
        const most = Number.MAX_SAFE_INTEGER;
        const key = { ...KEY, id: most, amount: most };
        await handle(store, { ...key, rawStatus: "refunded", amount: 500 });
        await handle(store, { ...key, rawStatus: "pending" });
        await handle(store, { ...key, rawStatus: "refunded", amount: most - 1 });
        await store.claimPostback({ ...key, rawStatus: "processing" }, "a", LEASE);
        await store.releasePostback({ ...key, rawStatus: "processing" }, "a"); // never handled

        const expected = claimed(["refunded", 500], ["pending", most], ["refunded", most - 1]);
        equals(await store.claimPostback(key, "b", LEASE), expected);
      },

      "keeps its owner as long as the lease is renewed": async ({ store, other, leaseMs, leaseEnds }) => {
        await store.claimPostback(KEY, "a", leaseMs);

        equals(await store.renewPostback(KEY, "a", 3 * LEASE), true);
        await leaseEnds();

        matches(await other.claimPostback(KEY, "b", LEASE), { state: "busy", isSame: true });
      },

      "of a reference with any characters is separate": async ({ store, other }) => {
        for (const externalRef of REFERENCES) {
          equals(await store.claimPostback({ ...KEY, externalRef }, "a", LEASE), claimed());
          equals(await store.confirmPostback({ ...KEY, externalRef }, "a"), true);
        }

        for (const externalRef of REFERENCES) {
          equals(await other.claimPostback({ ...KEY, externalRef }, "b", LEASE), { state: "done" });
        }
      },

      ...forEach<PostbackKey>(
        "of another %s is claimed independently",
        {
          transaction: { ...KEY, id: 8 },
          order: { ...KEY, externalRef: "order-2" },
          trust: { ...KEY, trust: "unsigned" },
        },
        async ({ store }, key) => {
          await handle(store, { ...KEY, rawStatus: "pending" });
          await store.claimPostback(KEY, "a", LEASE);

          equals(await store.claimPostback(key, "b", LEASE), claimed());
          equals(await store.confirmPostback(key, "b"), true);

          matches(await store.claimPostback(KEY, "c", LEASE), { state: "busy" });
        },
      ),

      ...forEach<PostbackKey>(
        "of the same transaction with another %s waits, and gets the handled ones",
        {
          status: { ...KEY, rawStatus: "refunded" },
          "spelling of the status": { ...KEY, rawStatus: "APPROVED" },
          amount: { ...KEY, amount: 990 },
          "status that needs quotes": { ...KEY, rawStatus: "1990 'approved'\" ação" },
        },
        async ({ store }, key) => {
          await store.claimPostback(KEY, "a", LEASE);

          const claim = await store.claimPostback(key, "b", LEASE);
          hasLeaseLeft(claim, { state: "busy", isSame: false }, 0, LEASE);
          await store.confirmPostback(KEY, "a");

          equals(await store.claimPostback(key, "b", LEASE), claimed(["approved", 1990]));
          equals(await store.confirmPostback(key, "b"), true);
          equals(await store.claimPostback(key, "c", LEASE), { state: "done" });
        },
      ),
    },

    "a postback whose lease has ended": {
      "can be claimed by another handler, and is lost to the previous one": async (setting) => {
        const { store } = setting;
        await loseClaim(setting);

        equals(await takeOver(setting, KEY, "b"), claimed());

        equals(await store.renewPostback(KEY, "a", LEASE), false);
        equals(await store.confirmPostback(KEY, "a"), false);
        await store.releasePostback(KEY, "a");
        matches(await store.claimPostback(KEY, "c", LEASE), { state: "busy" });
        equals(await store.confirmPostback(KEY, "b"), true);
      },

      "does not block the next one of its transaction, and may still be confirmed": async (setting) => {
        const { store } = setting;
        const next = { ...KEY, rawStatus: "refunded" };
        await loseClaim(setting);

        equals(await takeOver(setting, next, "b"), claimed());

        equals(await store.renewPostback(KEY, "a", LEASE), false);
        equals(await store.confirmPostback(KEY, "a"), true); // it did succeed
        matches(await store.claimPostback({ ...KEY, amount: 5 }, "c", LEASE), { state: "busy" });
        equals(await store.confirmPostback(next, "b"), true);
      },

      "is confirmed if no other handler holds it": async (setting) => {
        const { store, leaseMs, leaseEnds } = setting;
        const [unclaimed, released, died] = [KEY, { ...KEY, id: 8 }, { ...KEY, id: 9 }];
        for (const key of [unclaimed, released, died]) await store.claimPostback(key, "a", leaseMs);
        await leaseEnds();
        for (const key of [released, died]) await takeOver(setting, key, "b", leaseMs);
        await store.releasePostback(released, "b");
        await leaseEnds();

        for (const key of [unclaimed, released, died]) {
          equals(await store.confirmPostback(key, "a"), true);
          equals(await store.claimPostback(key, "c", LEASE), { state: "done" });
        }
        equals(await store.confirmPostback(died, "b"), false);
      },

      "stays with its owner if the owner renews it in time": needs("isShared", async (setting) => {
        const { store, other, leaseMs } = setting;
        await loseClaim(setting); // while the database was away

        const overdue = await other.claimPostback(KEY, "b", LEASE);
        const expected = { state: "busy", isSame: true, isOverdue: true };
        hasLeaseLeft(overdue, expected, 0, Math.min(leaseMs, 10_000));
        equals(await store.renewPostback(KEY, "a", leaseMs), true);

        const busy = await other.claimPostback(KEY, "b", LEASE);
        hasLeaseLeft(busy, { state: "busy", isSame: true }, 0, leaseMs);
      }),
    },

    "a namespace": {
      "separates its postbacks from the postbacks of every other": needs(
        "hasNamespaces",
        async ({ open }) => {
          for (const namespace of NAMESPACES) {
            const store = await open(namespace);
            equals(await store.claimPostback(KEY, "a", LEASE), claimed());
          }
        },
      ),
    },

    "a handled postback": {
      "is deleted after its retention": needs("retentionDays", async ({ open, store, passRetention }) => {
        /** Old records are deleted by later writes of a newly opened store. */
        const write = async () => handle(await open(), { ...KEY, externalRef: crypto.randomUUID() });
        await handle(store, KEY);

        await passRetention(-1);
        await write();
        equals(await store.claimPostback(KEY, "b", LEASE), { state: "done" });

        await passRetention(0);
        await eventually(async () => {
          await write();
          equals(await store.claimPostback(KEY, "b", LEASE), claimed());
        });
      }),
    },
  },
  "hasPostbacks",
);
