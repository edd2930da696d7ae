import type {
  AttemptEnd,
  ClaimedOrder,
  PaymentsStore,
  PostbackClaim,
  PostbackKey,
  PostbackNews,
  StoredTransaction,
  UnresolvedOrder,
} from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";

/** An empty database, which is deleted when the test ends. */
export interface TestDatabase {
  /** Opens a store on it, like each of several processes does. */
  readonly store: (options?: {
    readonly namespace?: string | undefined;
  }) => PaymentsStore | Promise<PaymentsStore>;
  /** Advances the clock that the store uses. If it is missing, the suite waits in real time. */
  readonly advance?: (ms: number) => void | Promise<void>;
}

/** Features that not every store has. */
interface StoreFeatures {
  /** Stores that are opened on one database share its records. Default true. */
  readonly isShared?: boolean;
  /** `store()` accepts a namespace. Default true. */
  readonly hasNamespaces?: boolean;
  /** Days after which it deletes ended records. Tested if the database can `advance`. Default: never. */
  readonly retentionDays?: number;
}

const LEASE = 60_000;
const DAY = 86_400_000;
const ORDER = { externalRef: "order-1", amount: 1990, paymentMethod: "pix", owner: "a" } as const;
const REF = ORDER.externalRef;
const by = (owner: string, externalRef: string = REF): ClaimedOrder => ({ ...ORDER, owner, externalRef });
const KEY = { trust: "signed", externalRef: REF, id: 7, rawStatus: "approved", amount: 1990 } as const;

const UNKNOWN: AttemptEnd = { outcome: "unknown" };
const NOT_CREATED: AttemptEnd = { outcome: "not_created" };

function createdAs(status: StoredTransaction["status"], id = 1): AttemptEnd {
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

function aPostback(status: PostbackNews["status"], id = 1): PostbackNews {
  return { id, status, rawStatus: status, amount: 1990 };
}

const claimed = (...handled: (readonly [rawStatus: string, amount: number])[]): PostbackClaim => ({
  state: "claimed",
  handled: handled.map(([rawStatus, amount]) => ({ rawStatus, amount })),
});

const times = (count: number) => Array.from({ length: count }, (_, nth) => nth);
const statesOf = (claims: readonly { readonly state: string }[]) =>
  claims.map(({ state }) => state).toSorted();

async function listed(store: PaymentsStore, olderThanMs = 0): Promise<UnresolvedOrder[]> {
  const found: UnresolvedOrder[] = [];
  for await (const order of store.unresolved({ olderThanMs })) found.push(order);
  return found;
}

const referencesIn = async (store: PaymentsStore) => {
  return (await listed(store)).map(({ externalRef }) => externalRef).toSorted();
};

async function attempt(store: PaymentsStore, end: AttemptEnd, order: ClaimedOrder = ORDER) {
  await store.claim(order, LEASE);
  return store.end(order, end);
}

async function handle(store: PaymentsStore, key: PostbackKey): Promise<void> {
  await store.claimPostback(key, "handler", LEASE);
  await store.confirmPostback(key, "handler");
}

/** The state that the next caller gets. Claims the order if it is free. */
const stateOf = async (store: PaymentsStore, externalRef: string = REF) => {
  return (await store.claim(by(crypto.randomUUID(), externalRef), LEASE)).state;
};

/**
 * The rules of every store. They need only the contract of a store, and a function that opens one.
 *
 * @param open - Creates a new database.
 */
export function describeStore(
  name: string,
  open: () => Promise<TestDatabase>,
  { isShared = true, hasNamespaces = true, retentionDays }: StoreFeatures = {},
): void {
  async function setUp() {
    const database = await open();
    const store = await database.store();
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const pass = async (ms: number) => (database.advance ?? wait)(ms);
    /** For leases that end during the test. */
    const leaseMs = database.advance === undefined ? 300 : LEASE;
    const leaseEnds = () => pass(leaseMs + 5);
    /** The store itself, and another process's if there can be one. */
    const other = isShared ? await database.store() : store;
    /** Claims a postback whose lease has ended. A store may give its owner a last chance to renew. */
    const takeOver = async (key: PostbackKey, owner: string): Promise<PostbackClaim> => {
      const claim = await store.claimPostback(key, owner, leaseMs);
      if (claim.state !== "busy") return claim;
      expect(claim.isOverdue).toBe(true);
      await pass(claim.leaseLeftMs + 5);
      return store.claimPostback(key, owner, leaseMs);
    };
    return { database, store, other, pass, leaseMs, leaseEnds, takeOver };
  }

  describe(`${name}: an order`, () => {
    test("belongs to the first caller that claims it, until the lease ends", async () => {
      const { store, other } = await setUp();

      expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });

      const claim = await other.claim(by("b"), LEASE);
      expect(claim).toEqual({ state: "claimed", leaseLeftMs: expect.any(Number) });
      const { leaseLeftMs } = claim as { leaseLeftMs: number };
      expect(leaseLeftMs).toBeGreaterThan(LEASE - 15_000);
      expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
      expect(await store.claim(ORDER, LEASE)).toMatchObject({ state: "claimed" });
    });

    test.each([
      ["unclaimed", []],
      ["free again", [NOT_CREATED]],
    ])("that is %s is claimed by one caller if many try at once", async (_what, ends) => {
      const { store, other } = await setUp();
      for (const end of ends) await attempt(store, end);

      const claims = await Promise.all(
        times(20).map((nth) => (nth % 2 ? store : other).claim(by(`o-${nth}`), LEASE)),
      );

      expect(statesOf(claims)).toEqual([...Array(19).fill("claimed"), "yours"]);
    });

    test("claimed on other terms is a conflict", async () => {
      const { store } = await setUp();
      await store.claim(ORDER, LEASE);

      const conflict = { state: "conflict", earlier: "claimed" };
      expect(await store.claim({ ...by("b"), amount: 1991 }, LEASE)).toEqual(conflict);
      expect(await store.claim({ ...by("b"), paymentMethod: "credit_card" }, LEASE)).toEqual(conflict);
    });

    test("whose lease has ended is never free: it is listed until its owner records how it ended", async () => {
      const { store, other, leaseMs, leaseEnds } = await setUp();
      await store.claim(ORDER, leaseMs);
      expect(await listed(other)).toEqual([]);

      await leaseEnds();

      expect(await other.claim(by("b"), LEASE)).toEqual({ state: "unresolved" });
      expect(await store.renew(ORDER, LEASE)).toBe(false);
      expect(await listed(other)).toMatchObject([{ externalRef: REF, attempt: 1, reason: "no_end" }]);
      expect(await store.end(ORDER, createdAs("approved"))).toEqual([]);
      expect(await stateOf(other)).toBe("created");
    });

    test("is renewed only by its owner, for the requested time", async () => {
      const { store, other, leaseMs, leaseEnds } = await setUp();
      await store.claim(ORDER, leaseMs);

      expect(await other.renew(by("b"), LEASE)).toBe(false);
      expect(await store.renew(ORDER, 3 * LEASE)).toBe(true);
      await leaseEnds();

      const { leaseLeftMs } = (await other.claim(by("b"), LEASE)) as { leaseLeftMs: number };
      expect(leaseLeftMs).toBeGreaterThan(LEASE);
      expect(leaseLeftMs).toBeLessThanOrEqual(3 * LEASE);
    });

    test("that is created returns its transaction exactly as it was recorded", async () => {
      const { store, other } = await setUp();
      const transaction: StoredTransaction = {
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
      await store.claim(ORDER, LEASE);

      const { id: transactionId } = transaction;
      expect(await store.end(ORDER, { outcome: "created", transactionId, transaction })).toEqual([]);

      expect(await other.claim(by("b"), LEASE)).toEqual({ state: "created", transactionId, transaction });
    });

    test("whose transaction has only an id returns the id, also beyond 2^53 - 1", async () => {
      const { store, other } = await setUp();
      const transactionId = "90071992547409931234";

      await attempt(store, { outcome: "created", transactionId });

      expect(await other.claim(by("b"), LEASE)).toEqual({ state: "created", transactionId });
    });

    test.each<[string, AttemptEnd]>([
      ["was refused", createdAs("refused")],
      ["was not sent", NOT_CREATED],
    ])("that %s is free, and may be sent again on other terms", async (_what, end) => {
      const { store, other } = await setUp();
      await attempt(store, end);

      expect(await other.claim({ ...by("b"), amount: 5 }, LEASE)).toEqual({ state: "yours" });
      expect(await listed(store)).toEqual([]);
    });

    test("whose outcome is unknown is listed with its terms, its attempt and its earlier transactions", async () => {
      const { store, other } = await setUp();
      const card = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
      await attempt(store, createdAs("refused", 7));
      const start = Date.now();
      await attempt(store, UNKNOWN, card);

      expect(await other.claim({ ...card, owner: "b" }, LEASE)).toEqual({ state: "unresolved" });
      const found = await listed(other);
      expect(found).toEqual([
        {
          externalRef: REF,
          amount: 1990,
          paymentMethod: "credit_card",
          installments: "3",
          attempt: 2,
          reason: "no_answer",
          since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          earlierIds: [7],
        },
      ]);
      // The clock of a server, and rounding.
      expect(Math.abs(Date.parse(found[0]?.since ?? "") - start)).toBeLessThan(60_000);
    });

    test("keeps a transaction that another attempt created meanwhile, and reports both", async () => {
      const { store, other, leaseMs, leaseEnds } = await setUp();
      await store.claim(ORDER, leaseMs);
      await leaseEnds();
      await other.resolve(REF, { charged: false });
      await other.claim(by("b"), LEASE);

      expect(await store.end(ORDER, createdAs("approved", 1))).toEqual([]);
      expect(await other.end(by("b"), createdAs("approved", 2))).toEqual([1]);

      expect(await store.claim(by("c"), LEASE)).toMatchObject({ state: "created", transactionId: 2 });
    });

    test("that the store has lost is recorded again when it ends", async () => {
      const { store } = await setUp();

      expect(await store.end(by("a", "created"), createdAs("approved"))).toEqual([]);
      expect(await store.end(by("a", "unknown"), UNKNOWN)).toEqual([]);

      expect(await stateOf(store, "created")).toBe("created");
      expect(await stateOf(store, "unknown")).toBe("unresolved");
    });
  });

  describe(`${name}: a signed postback of an order`, () => {
    test("settles an unresolved order, and updates a created one", async () => {
      const { store, other } = await setUp();
      await attempt(store, UNKNOWN);

      expect(await other.settle(REF, aPostback("pending"))).toEqual([]);
      expect(await listed(store)).toEqual([]);
      expect(await store.claim(by("b"), LEASE)).toMatchObject({ state: "created", transactionId: 1 });
      await other.settle(REF, aPostback("approved"));

      expect(await store.claim(by("b"), LEASE)).toMatchObject({ transaction: { status: "approved" } });
    });

    test("with the status expired frees it, and for an unknown order changes nothing", async () => {
      const { store } = await setUp();
      await attempt(store, createdAs("pending"));

      await store.settle(REF, aPostback("expired"));
      expect(await store.settle("unknown", aPostback("approved"))).toEqual([]);

      expect(await stateOf(store)).toBe("yours");
      expect(await stateOf(store, "unknown")).toBe("yours");
    });

    test("and the end of the attempt do not overwrite each other, in any order", async () => {
      const { store, other } = await setUp();
      const references = times(20).map((nth) => `order-${nth}`);
      await Promise.all(references.map((reference) => store.claim(by("a", reference), LEASE)));

      await Promise.all(
        references.flatMap((reference, nth) => {
          const both = [
            () => store.end(by("a", reference), createdAs("pending")),
            () => other.settle(reference, aPostback("approved")),
          ];
          return (nth % 2 === 0 ? both : both.toReversed()).map((run) => run());
        }),
      );

      const claims = await Promise.all(references.map((reference) => other.claim(by("b", reference), LEASE)));
      const transaction = { status: "approved", pix: { qrcodeText: "00020101" } };
      expect(claims).toMatchObject(Array(20).fill({ state: "created", transaction }));
    });

    test("is not lost among concurrent ones, and returns every transaction that may have charged the customer", async () => {
      const { store, other } = await setUp();
      await store.claim(ORDER, LEASE);
      const ids = times(10).map((nth) => nth + 11);

      await Promise.all(ids.map((id) => (id % 2 ? store : other).settle(REF, aPostback("approved", id))));

      const duplicates = await store.end(ORDER, createdAs("approved", 1));
      expect(duplicates.map(Number).toSorted()).toEqual(ids);
      const settled = await other.settle(REF, aPostback("approved", 2));
      expect(settled.map(({ id }) => Number(id)).toSorted()).toEqual([1, ...ids]);
    });
  });

  describe(`${name}: a person`, () => {
    test("resolves an order as free or created", async () => {
      const { store, other } = await setUp();
      for (const reference of ["free", "created"]) await attempt(store, UNKNOWN, by("a", reference));

      expect(await other.resolve("free", { charged: false })).toMatchObject({ state: "free" });
      expect(await other.resolve("created", { transactionId: 5, status: "approved" })).toMatchObject({
        state: "created",
      });

      expect(await listed(store)).toEqual([]);
      expect(await stateOf(store, "free")).toBe("yours");
      expect(await store.claim(by("b", "created"), LEASE)).toMatchObject({ transactionId: 5 });
    });

    test("cannot resolve an order in flight or an unknown one, or deny a transaction", async () => {
      const { store } = await setUp();
      await store.claim(by("a", "claimed"), LEASE);
      await attempt(store, createdAs("approved"), by("a", "created"));
      const deny = (reference: string) => store.resolve(reference, { charged: false });

      await expect(deny("claimed")).rejects.toMatchObject({ code: "outcome_pending" });
      await expect(deny("created")).rejects.toMatchObject({ code: "invalid_request" });
      await expect(deny("unknown")).rejects.toMatchObject({ code: "invalid_request" });

      expect(await store.renew(by("a", "claimed"), LEASE)).toBe(true);
      expect(await stateOf(store, "created")).toBe("created");
    });

    test("is refused if another person was faster and reported something else", async () => {
      const { store, other } = await setUp();
      await attempt(store, UNKNOWN);

      const [first, second] = await Promise.allSettled([
        store.resolve(REF, { transactionId: 1, status: "approved" }),
        other.resolve(REF, { transactionId: 2, status: "approved" }),
      ]);

      expect([first.status, second.status].toSorted()).toEqual(["fulfilled", "rejected"]);
      const transactionId = first.status === "fulfilled" ? 1 : 2;
      expect(await store.claim(by("b"), LEASE)).toMatchObject({ transactionId });
    });

    test("sees every unresolved order once, and no other order", async () => {
      const { store, other } = await setUp();
      const ends = [UNKNOWN, NOT_CREATED, createdAs("approved")] as const;
      const references = times(120).map((nth) => `order-${nth}`);
      await Promise.all(
        references.map((reference, nth) => attempt(store, ends[nth % 3] ?? UNKNOWN, by("a", reference))),
      );

      expect(await referencesIn(other)).toEqual(references.filter((_, nth) => nth % 3 === 0).toSorted());
    });

    test("can leave out recent changes", async () => {
      const { store, leaseMs, leaseEnds } = await setUp();
      await attempt(store, UNKNOWN);

      expect(await listed(store, leaseMs)).toEqual([]);
      await leaseEnds();

      expect(await listed(store, leaseMs)).toHaveLength(1);
    });

    test("can resolve orders while they are listed, and stop early", async () => {
      const { store } = await setUp();
      for (const nth of times(3)) await attempt(store, UNKNOWN, by("a", `order-${nth}`));

      let left = 2;
      for await (const { externalRef } of store.unresolved()) {
        await store.resolve(externalRef, { charged: false });
        left -= 1;
        if (left === 0) break;
      }

      expect(await listed(store)).toHaveLength(1);
    });
  });

  describe(`${name}: references`, () => {
    const REFERENCES = [
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

    test("with any characters identify separate orders, and are returned unchanged", async () => {
      const { store, other } = await setUp();

      const each = <Result>(run: (reference: string, nth: number) => Promise<Result>) =>
        Promise.all(REFERENCES.map(run));

      expect(statesOf(await each((reference) => store.claim(by("a", reference), LEASE)))).toEqual(
        REFERENCES.map(() => "yours"),
      );
      expect(await each((reference) => store.renew(by("a", reference), LEASE))).not.toContain(false);
      await each((reference) => store.end(by("a", reference), UNKNOWN));
      expect(await referencesIn(other)).toEqual(REFERENCES.toSorted());
      await each((reference, nth) => other.settle(reference, aPostback("approved", nth + 1)));
      await each((externalRef) => handle(store, { ...KEY, externalRef }));

      expect(await each((reference) => other.claim(by("b", reference), LEASE))).toMatchObject(
        REFERENCES.map((_, nth) => ({ state: "created", transactionId: nth + 1 })),
      );
      const postbacks = await each((externalRef) => other.claimPostback({ ...KEY, externalRef }, "b", LEASE));
      expect(postbacks).toEqual(REFERENCES.map(() => ({ state: "done" })));
      expect(await listed(store)).toEqual([]);
    });

    /** A database may truncate one, or replace the character. */
    test.each([
      "order-1\u0000",
      "order-1\u00002",
      "order-1\n",
      "order-1\u007f",
      "order-1\u0085",
      "order-\ud83d",
    ])("with control characters or half of a surrogate pair have no record: %j", async (reference) => {
      const { store } = await setUp();
      const close = ["order-1", "order-\ufffd"];
      for (const known of close) await attempt(store, UNKNOWN, by("a", known));

      const refusal = { code: "invalid_request", issues: [{ field: "externalRef" }] };
      await expect(store.claim(by("b", reference), LEASE)).rejects.toMatchObject(refusal);
      await expect(store.end(by("b", reference), createdAs("pending"))).rejects.toMatchObject(refusal);
      await expect(store.resolve(reference, { charged: false })).rejects.toMatchObject(refusal);
      expect(await store.renew(by("b", reference), LEASE)).toBe(false);
      expect(await store.settle(reference, aPostback("approved"))).toEqual([]);

      expect(await referencesIn(store)).toEqual(close);
    });
  });

  describe(`${name}: a postback`, () => {
    test("belongs to the first caller that claims it, until the lease ends", async () => {
      const { store, other } = await setUp();

      expect(await store.claimPostback(KEY, "a", LEASE)).toEqual(claimed());

      const claim = await other.claimPostback(KEY, "b", LEASE);
      expect(claim).toEqual({ state: "busy", isSame: true, leaseLeftMs: expect.any(Number) });
      const { leaseLeftMs } = claim as { leaseLeftMs: number };
      expect(leaseLeftMs).toBeGreaterThan(LEASE - 15_000);
      expect(leaseLeftMs).toBeLessThanOrEqual(LEASE);
      expect(await store.claimPostback(KEY, "a", LEASE)).toMatchObject({ state: "busy" });
    });

    test("is claimed by one handler if many try at once", async () => {
      const { store, other } = await setUp();

      const claims = await Promise.all(
        times(20).map((nth) => (nth % 2 ? store : other).claimPostback(KEY, `o-${nth}`, LEASE)),
      );

      expect(statesOf(claims)).toEqual([...Array(19).fill("busy"), "claimed"]);
    });

    test("that was confirmed is done permanently", async () => {
      const { store, other, leaseMs, leaseEnds } = await setUp();
      await store.claimPostback(KEY, "a", leaseMs);

      expect(await store.confirmPostback(KEY, "a")).toBe(true);

      await leaseEnds();
      expect(await other.claimPostback(KEY, "b", LEASE)).toEqual({ state: "done" });
      expect(await store.confirmPostback(KEY, "a")).toBe(false);
      await store.releasePostback(KEY, "a");
      await other.claimPostback({ ...KEY, rawStatus: "refunded" }, "b", LEASE);
      expect(await store.claimPostback(KEY, "c", LEASE)).toEqual({ state: "done" });
    });

    test("that was released is free, and is neither renewed nor released again", async () => {
      const { store, other } = await setUp();
      await store.claimPostback(KEY, "a", LEASE);

      await store.releasePostback(KEY, "a");

      expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
      await store.releasePostback(KEY, "a");
      expect(await other.claimPostback(KEY, "b", LEASE)).toEqual(claimed());
    });

    test.each<[string, PostbackKey]>([
      ["transaction", { ...KEY, id: 8 }],
      ["order", { ...KEY, externalRef: "order-2" }],
      ["trust", { ...KEY, trust: "unsigned" }],
    ])("of another %s is claimed independently", async (_what, key) => {
      const { store } = await setUp();
      await handle(store, { ...KEY, rawStatus: "pending" });
      await store.claimPostback(KEY, "a", LEASE);

      expect(await store.claimPostback(key, "b", LEASE)).toEqual(claimed());
      expect(await store.confirmPostback(key, "b")).toBe(true);

      expect(await store.claimPostback(KEY, "c", LEASE)).toMatchObject({ state: "busy" });
    });

    test.each<[string, PostbackKey]>([
      ["status", { ...KEY, rawStatus: "refunded" }],
      ["spelling of the status", { ...KEY, rawStatus: "APPROVED" }],
      ["amount", { ...KEY, amount: 990 }],
      ["status that needs quotes", { ...KEY, rawStatus: "1990 'approved'\" ação" }],
    ])("of the same transaction with another %s waits, and gets the handled ones", async (_what, key) => {
      const { store } = await setUp();
      await store.claimPostback(KEY, "a", LEASE);

      const busy = { state: "busy", isSame: false, leaseLeftMs: expect.any(Number) };
      expect(await store.claimPostback(key, "b", LEASE)).toEqual(busy);
      await store.confirmPostback(KEY, "a");

      expect(await store.claimPostback(key, "b", LEASE)).toEqual(claimed(["approved", 1990]));
      expect(await store.confirmPostback(key, "b")).toBe(true);
      expect(await store.claimPostback(key, "c", LEASE)).toEqual({ state: "done" });
    });

    test("gets the handled postbacks of its transaction, in that order", async () => {
      const { store } = await setUp();
      const most = Number.MAX_SAFE_INTEGER;
      const key = { ...KEY, id: most, amount: most };
      await handle(store, { ...key, rawStatus: "refunded", amount: 500 });
      await handle(store, { ...key, rawStatus: "pending" });
      await handle(store, { ...key, rawStatus: "refunded", amount: most - 1 });
      await store.claimPostback({ ...key, rawStatus: "processing" }, "a", LEASE);
      await store.releasePostback({ ...key, rawStatus: "processing" }, "a"); // never handled

      expect(await store.claimPostback(key, "b", LEASE)).toEqual(
        claimed(["refunded", 500], ["pending", most], ["refunded", most - 1]),
      );
    });

    test("keeps its owner as long as the lease is renewed", async () => {
      const { store, other, leaseMs, leaseEnds } = await setUp();
      await store.claimPostback(KEY, "a", leaseMs);

      expect(await store.renewPostback(KEY, "a", 3 * LEASE)).toBe(true);
      await leaseEnds();

      expect(await other.claimPostback(KEY, "b", LEASE)).toMatchObject({ state: "busy", isSame: true });
    });

    test("whose lease has ended can be claimed by another handler, and the previous one cannot renew or release it", async () => {
      const { store, leaseMs, leaseEnds, takeOver } = await setUp();
      await store.claimPostback(KEY, "a", leaseMs);
      await leaseEnds();

      expect(await takeOver(KEY, "b")).toEqual(claimed());

      expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
      expect(await store.confirmPostback(KEY, "a")).toBe(false);
      await store.releasePostback(KEY, "a");
      expect(await store.claimPostback(KEY, "c", LEASE)).toMatchObject({ state: "busy" });
      expect(await store.confirmPostback(KEY, "b")).toBe(true);
    });

    test("whose lease has ended does not block the next one of its transaction, and may still be confirmed", async () => {
      const { store, leaseMs, leaseEnds, takeOver } = await setUp();
      const next = { ...KEY, rawStatus: "refunded" };
      await store.claimPostback(KEY, "a", leaseMs);
      await leaseEnds();

      expect(await takeOver(next, "b")).toEqual(claimed());

      expect(await store.renewPostback(KEY, "a", LEASE)).toBe(false);
      expect(await store.confirmPostback(KEY, "a")).toBe(true); // it did succeed
      expect(await store.claimPostback({ ...KEY, amount: 5 }, "c", LEASE)).toMatchObject({ state: "busy" });
      expect(await store.confirmPostback(next, "b")).toBe(true);
    });

    test("whose lease has ended is confirmed if no other handler claimed it, or the next one released it or died", async () => {
      const { store, leaseMs, leaseEnds, takeOver } = await setUp();
      const [unclaimed, released, died] = [KEY, { ...KEY, id: 8 }, { ...KEY, id: 9 }];
      for (const key of [unclaimed, released, died]) await store.claimPostback(key, "a", leaseMs);
      await leaseEnds();
      for (const key of [released, died]) await takeOver(key, "b");
      await store.releasePostback(released, "b");
      await leaseEnds();

      for (const key of [unclaimed, released, died]) {
        expect(await store.confirmPostback(key, "a")).toBe(true);
        expect(await store.claimPostback(key, "c", LEASE)).toEqual({ state: "done" });
      }
      expect(await store.confirmPostback(died, "b")).toBe(false);
      expect(await store.claimPostback({ ...died, amount: 5 }, "d", leaseMs)).toBeDefined();
    });

    if (isShared) {
      test("whose lease has ended stays with its owner if the owner renews it in time", async () => {
        const { store, other, leaseMs, leaseEnds } = await setUp();
        await store.claimPostback(KEY, "a", leaseMs);
        await leaseEnds(); // while the database was away

        const overdue = await other.claimPostback(KEY, "b", LEASE);
        expect(overdue).toMatchObject({ state: "busy", isSame: true, isOverdue: true });
        const { leaseLeftMs } = overdue as { leaseLeftMs: number };
        expect(leaseLeftMs).toBeLessThanOrEqual(Math.min(leaseMs, 10_000));
        expect(await store.renewPostback(KEY, "a", leaseMs)).toBe(true);

        const busy = { state: "busy", isSame: true, leaseLeftMs: expect.any(Number) };
        expect(await other.claimPostback(KEY, "b", LEASE)).toEqual(busy);
      });
    }
  });

  if (hasNamespaces) {
    describe(`${name}: a namespace`, () => {
      test("separates its orders and postbacks from those of every other", async () => {
        const { database } = await setUp();
        const names = [
          "shop",
          "Shop",
          "shop:order",
          "shop-*",
          "shop-1",
          "a/b",
          "a%2Fb",
          "ação",
          "ac\u0327ão",
        ];
        const stores = await Promise.all(names.map(async (namespace) => database.store({ namespace })));

        for (const [nth, store] of stores.entries()) {
          expect(await store.claim(ORDER, LEASE)).toEqual({ state: "yours" });
          await store.end(ORDER, nth === 0 ? UNKNOWN : createdAs("approved", nth));
          expect(await store.claimPostback(KEY, "a", LEASE)).toEqual(claimed());
        }

        const [first, ...others] = stores;
        expect(first && (await referencesIn(first))).toEqual([REF]);
        for (const [nth, store] of others.entries()) {
          expect(await listed(store)).toEqual([]);
          expect(await store.claim(by("b"), LEASE)).toMatchObject({ transactionId: nth + 1 });
        }
      });
    });
  }

  if (retentionDays !== undefined) {
    describe(`${name}: an ended record`, () => {
      /** Old records are deleted by later writes of a newly opened store. */
      async function writes(database: TestDatabase): Promise<PaymentsStore> {
        const store = await database.store();
        await attempt(store, NOT_CREATED, by("a", crypto.randomUUID()));
        await handle(store, { ...KEY, externalRef: crypto.randomUUID() });
        return store;
      }

      test("is deleted after its retention, and an unresolved one never is", async () => {
        const { database, store, pass } = await setUp();
        await attempt(store, createdAs("approved"), by("a", "created"));
        await attempt(store, UNKNOWN, by("a", "unknown"));
        await store.claim(by("a", "crashed"), LEASE);
        await handle(store, KEY);

        await pass((retentionDays - 1) * DAY);
        const before = await writes(database);
        expect(await stateOf(before, "created")).toBe("created");
        expect(await before.claimPostback(KEY, "b", LEASE)).toEqual({ state: "done" });

        await pass(2 * DAY);
        await expect
          .poll(async () => stateOf(await writes(database), "created"), { interval: 5 })
          .not.toBe("created");
        // Postbacks are deleted by a separate statement.
        await expect.poll(() => store.claimPostback(KEY, "b", LEASE), { interval: 5 }).toEqual(claimed());
        expect(await stateOf(store, "unknown")).toBe("unresolved");
        expect(await stateOf(store, "crashed")).toBe("unresolved");
      });
    });
  }
}
