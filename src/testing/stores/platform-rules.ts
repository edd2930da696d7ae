import assert from "node:assert/strict";
import { equals, matches } from "./assertions.ts";
import {
  attempt,
  by,
  claimAll,
  collect,
  createdAs,
  LEASE,
  NOT_CREATED,
  ORDER,
  REF,
  times,
  UNKNOWN,
} from "./fixtures.ts";
import { rules, type TestedStore } from "./setting.ts";

async function failPostback(store: TestedStore): Promise<void> {
  const key = { trust: "signed", externalRef: REF, id: 7, rawStatus: "approved", amount: 1990 } as const;
  await store.claimPostback(key, "a", LEASE, { signedAmount: 1990 });
  await store.releasePostback(key, "a", { name: "TypeError", retryAfterMs: LEASE });
}

/** `b order-1` for an order or postback of the namespace `b`. */
async function placesIn(items: AsyncIterable<{ readonly namespace?: string; readonly externalRef: string }>) {
  return (await collect(items)).map(({ namespace, externalRef }) => `${namespace} ${externalRef}`).toSorted();
}

/** What a monitor reads. Optional in a custom store. */
export const PLATFORM_RULES = [
  ...rules(
    {
      "getMany returns": {
        "what get returns, in the order of the references, each once": async ({ store, other }) => {
          const references = times(450).map((nth) => `order-${nth}`);
          await claimAll(store, references);
          const invalid = ["order-450", "order-1\n", "", "order-\ud83d"];

          const found = await other.getMany([...references, ...invalid, "order-2"].toReversed());

          const expected = ["order-2", ...references.filter((each) => each !== "order-2").toReversed()];
          equals(
            found.map(({ externalRef }) => externalRef),
            expected,
          );
          const { since: _, ...record } = (await store.get("order-2")) ?? {};
          matches(found[0], record);
          equals(await other.getMany([]), []);
        },
      },
    },
    "getMany",
  ),

  ...rules(
    {
      "stats counts": {
        "orders by state, and the age of the oldest unresolved one": async ({
          store,
          other,
          leaseMs,
          loseLease,
        }) => {
          const none = { claimed: 0, unresolved: 0, unreadable: 0 };
          matches(await store.stats(), { orders: none, oldestUnresolvedMs: 0 });
          await loseLease();
          await attempt(store, UNKNOWN, by("a", "unresolved"));
          await attempt(store, NOT_CREATED, by("a", "free"));
          await attempt(store, createdAs("pending"), by("a", "created"));
          await store.claim(by("a", "claimed"), LEASE);

          const { orders, oldestUnresolvedMs } = await other.stats();
          equals(orders, { claimed: 1, unresolved: 2, unreadable: 0 });
          const isRight = oldestUnresolvedMs >= leaseMs && oldestUnresolvedMs < leaseMs + LEASE;
          assert(isRight, `oldestUnresolvedMs must be at least ${leaseMs}, and is ${oldestUnresolvedMs}`);
          const all = { claimed: 1, unresolved: 2, unreadable: 0, created: 1, free: 1 };
          equals((await other.stats({ all: true })).orders, all);
        },

        "postbacks whose callback has not succeeded": async ({ store, other }) => {
          const none = { running: 0, failed: 0, abandoned: 0 };
          matches(await store.stats(), { postbacks: none, oldestFailedPostbackMs: 0 });

          await failPostback(store);

          matches(await other.stats(), { postbacks: { ...none, failed: 1 } });
        },
      },
    },
    "stats",
    "hasPostbacks",
  ),

  ...rules(
    {
      check: {
        "finds no error in a database that works, and changes nothing": async ({ store, other }) => {
          const errors = (await store.check()).filter(({ level }) => level === "error");

          equals(errors, []);
          equals(await collect(other.list()), []);
          equals(await other.namespaces(), []);
        },
      },
    },
    "check",
  ),

  ...rules(
    {
      "with all namespaces,": {
        "lists name the namespace of each entry, and stats counts all": async ({ open }) => {
          const [a, b] = [await open("a"), await open("b")];
          const count = async () => {
            const { orders, postbacks } = await a.stats({ namespace: "*" });
            return [orders, postbacks]
              .flatMap((each) => Object.values(each))
              .reduce((sum, each) => sum + each);
          };
          const before = await count(); // the database may have other namespaces
          for (const store of [a, b]) {
            await attempt(store, UNKNOWN);
            await store.claim(by("a", "claimed"), LEASE);
            await failPostback(store);
          }

          const both = [`a ${REF}`, `b ${REF}`];
          equals(await placesIn(a.list({ namespace: "*", state: "unresolved" })), both);
          equals(await placesIn(a.unresolved({ namespace: "*" })), both);
          equals(await placesIn(b.openPostbacks({ namespace: "*" })), both);
          equals(await placesIn(b.list({ namespace: "*" })), [
            "a claimed",
            ...both.slice(0, 1),
            "b claimed",
            ...both.slice(1),
          ]);
          equals((await count()) - before, 6);
          equals(await placesIn(b.list({ state: "unresolved" })), [`undefined ${ORDER.externalRef}`]);
        },
      },
    },
    "listsNamespaces",
    "hasNamespaces",
    "stats",
    "hasPostbacks",
  ),
];
