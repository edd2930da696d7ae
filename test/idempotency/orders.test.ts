import type { AttemptOutcome, Finding, PaymentsStore, PostbackUpdate } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import {
  aPostback,
  aTransaction,
  attempt,
  by,
  createdAs,
  ID,
  idsIn,
  LEASE,
  leasesEnd,
  listed,
  NOT_CREATED,
  ORDER,
  openStore,
  pass,
  REF,
  refusalOf,
  stateOf,
  transactionOf,
  UNCHARGED,
  UNKNOWN,
} from "./support/orders.ts";

/** What becomes of an order after any sequence of calls, postbacks and findings. */

type Step = (store: PaymentsStore) => unknown;
type Status = PostbackUpdate["status"];
/** What happens, and what the record of the order is then. */
type Row = readonly [title: string, steps: readonly Step[], record: object];

const claim: Step = (store) => store.claim(ORDER, LEASE);
const claimBy =
  (owner: string): Step =>
  (store) =>
    store.claim(by(owner), LEASE);
const replaceBy =
  (owner: string): Step =>
  async (store) =>
    expect(await store.claim(by(owner), LEASE, { replaceLost: true })).toEqual({ state: "yours" });
const end =
  (how: AttemptOutcome, owner = "a"): Step =>
  (store) =>
    store.recordOutcome(by(owner), how);
const creates = (status: Status = "pending", id = ID, owner = "a"): Step => end(createdAs(status, id), owner);
const settle =
  (status: Status, id = ID, overrides: Partial<PostbackUpdate> = {}): Step =>
  (store) =>
    store.recordPostback(REF, aPostback(status, { id, ...overrides }));
const resolve =
  (finding: Finding): Step =>
  (store) =>
    store.resolve(REF, finding);
const leaseEnds: Step = () => leasesEnd();

async function storeAfter(...steps: readonly Step[]): Promise<PaymentsStore> {
  const store = openStore();
  for (const step of steps) await step(store);
  return store;
}

const NOT_CHARGED: Finding = { charged: false };
const unresolved = [claim, end(UNKNOWN)];
const created = [claim, creates()];
const sentTwice = [claim, end(NOT_CREATED), ...unresolved];
/** A person was wrong about the attempt of `a`, and `b` is sending the order now. */
const overtaken = [claim, leaseEnds, resolve(NOT_CHARGED), claimBy("b")];
/** A lost pix of `a`, and its replacement of `b`, which is in flight. */
const replacing = [...unresolved, replaceBy("b")];
const bothLost = [...replacing, end(UNKNOWN, "b")];
/** The first attempt ended with transaction 1, which expired; the second is in flight. */
const second = [claim, creates("pending", 1), settle("expired", 1), claimBy("b")];

const LATE_ENDS: readonly Row[] = [
  ["an unknown outcome, then unsent", [...unresolved, end(NOT_CREATED)], { state: "unresolved" }],
  ["the end of another caller: unknown", [claim, end(UNKNOWN, "b")], { state: "claimed" }],
  [
    "the late transaction of an overtaken caller, and an unknown end of the other one",
    [...overtaken, creates("pending", 1), end(UNKNOWN, "b")],
    { state: "unresolved", attempt: 2, reason: "no_response", earlierIds: [1] },
  ],
];

const ID_ONLY: AttemptOutcome = { outcome: "created", transactionId: ID };
const refundPart = settle("refunded", ID, { amount: 500 });
const PAID = { transaction: { status: "approved", amount: 1990 } };

const POSTBACKS: readonly Row[] = [
  ...(
    [
      ["pending", "created"],
      ["refunded", "created"], // it had been paid
      ["unrecognized", "created"], // it may be paid
      ...UNCHARGED.map((status) => [status, "free"] as const),
    ] as const
  ).map(([status, state]): Row => {
    return [`${status}, after the lease`, [claim, leaseEnds, settle(status)], { state }];
  }),
  [
    "approved, then unrecognized",
    [claim, creates("approved"), settle("unrecognized")],
    { transaction: { status: "approved" } },
  ],
  [
    "expired, over another amount",
    [...created, settle("expired", ID, { amount: 500 })],
    { state: "created" },
  ],
  ["refunded in part, of an unresolved order", [...unresolved, refundPart], PAID],
  ["expired, if only the id is known", [claim, end(ID_ONLY), settle("expired")], { state: "free" }],
  [
    "approved over another amount, then over two others",
    [...created, ...[500, 3000, 1].map((amount) => settle("approved", ID, { amount }))],
    { transaction: { status: "approved", amount: 1990, paidAmount: 500 } },
  ],
  [
    "approved over another amount as the only source, then over the right one",
    [...unresolved, settle("approved", ID, { amount: 500 }), settle("approved")],
    { transaction: { amount: 500, paidAmount: 1990 } },
  ],
  [
    "refused, then approved by the response",
    [claim, settle("refused"), creates("approved")],
    { state: "created" },
  ],
];

const refusedInPart = [settle("refused", 1, { amount: 5 }), settle("refused", 1)];

/** An attempt creates one transaction at most: the known transactions show which attempts may still charge. */
const OTHER_TRANSACTIONS: readonly Row[] = [
  ["a refusal of a part, of an unresolved order", [...unresolved, ...refusedInPart], { state: "unresolved" }],
  [
    "an expiry of another transaction over another amount",
    [...created, settle("pending", 1), settle("expired", 1, { amount: 500 }), settle("expired")],
    { transactionId: 1 },
  ],
  [
    "a transaction that may belong to either of two attempts",
    [...overtaken, end(UNKNOWN, "b"), settle("expired", 1)],
    { state: "unresolved", attempt: 2, earlierIds: [] },
  ],
  [
    "the same, and a person finds it expired",
    [...overtaken, end(UNKNOWN, "b"), settle("expired", 1), resolve({ transactionId: 1, status: "expired" })],
    { state: "free" },
  ],
  [
    "the refusal of the first of many attempts",
    [1, 2]
      .flatMap((id) => [claimBy(`${id}`), creates("refused", id, `${id}`)])
      .concat(unresolved, settle("refused", 1)),
    { state: "unresolved", attempt: 3, earlierIds: [1, 2] },
  ],
];

const FINDINGS: readonly Row[] = [
  [
    "that only a person made",
    [...unresolved, resolve({ transactionId: ID, status: "approved" })],
    { isByHand: true },
  ],
  [
    "another transaction by mistake, then the pix whose response was received meanwhile",
    [
      ...[...unresolved, resolve({ transactionId: 9, status: "approved" }), creates("pending", 1)],
      resolve({ transactionId: 1, status: "pending", replaces: 9 }),
    ],
    { transactionId: 1, transaction: { pix: { qrcodeText: "00020101021226" } } },
  ],
  [
    "a transaction by mistake: the attempt still counts once",
    [
      ...[...overtaken, end(UNKNOWN, "b"), resolve({ transactionId: 9, status: "approved" })],
      ...[resolve({ charged: false, replaces: 9 }), claimBy("c"), end(UNKNOWN, "c")],
      ...[1, 2, 3].map((id) => settle("expired", id)),
    ],
    { state: "free", attempt: 3 },
  ],
  [
    "with a short id as text",
    [...unresolved, resolve({ transactionId: "4021", status: "approved" })],
    { transactionId: ID, transaction: { id: ID, status: "approved", amount: 1990, paymentMethod: "pix" } },
  ],
];

const CODE = { pix: { qrcodeText: "00020101021226" } };

const REPLACEMENTS: readonly Row[] = [
  ...[NOT_CREATED, UNKNOWN].map((how): Row => {
    const title = `the first code is received while the replacement is in flight, which then ends ${how.outcome}`;
    const record = { transactionId: 1, transaction: CODE };
    return [title, [...replacing, creates("pending", 1), end(how, "b")], record];
  }),
  [
    "a person frees the order, and the replacement is refused later",
    [...replacing, leaseEnds, resolve(NOT_CHARGED), creates("refused", 2, "b")],
    { state: "free" },
  ],
  [
    "the response of the replacement has only an id that a postback reported",
    [...replacing, settle("processing", 2), end({ outcome: "created", transactionId: 2 }, "b")],
    { transactionId: 2, transaction: { status: "processing" } },
  ],
  [
    "a person finds the first pix paid, and the second one expires",
    [
      ...[...replacing, creates("pending", 2, "b")],
      ...[resolve({ transactionId: 1, status: "approved", attempt: 2 }), settle("expired", 2)],
    ],
    { transactionId: 1, possibleDuplicates: [] },
  ],
];

describe.each([
  ["a late end", LATE_ENDS],
  ["a signed postback", POSTBACKS],
  ["a signed postback of another transaction", OTHER_TRANSACTIONS],
  ["a finding of a person", FINDINGS],
  ["a replaced pix", REPLACEMENTS],
] as const)("%s", (_what, rows) => {
  test.each(rows)("%s", async (_title, steps, record) => {
    const store = await storeAfter(...steps);

    const order = await store.get(REF);
    expect(order).toMatchObject(record);
    expect(await stateOf(store)).toBe(order?.state);
  });
});

describe("a claim", () => {
  test.each([["2"], [undefined]])("with %j installments instead of 3 is a conflict", async (installments) => {
    const card = { ...ORDER, paymentMethod: "credit_card", installments: "3" } as const;
    const other = { ...card, owner: "b", installments };
    const store = openStore();
    const conflict = (earlier: string) => ({ state: "conflict", earlier });

    await store.claim(card, LEASE);
    expect(await store.claim(other, LEASE)).toEqual(conflict("claimed"));
    leasesEnd();
    expect(await store.claim(other, LEASE)).toEqual(conflict("unresolved"));
    await store.recordOutcome(card, { outcome: "created", transactionId: ID });
    expect(await store.claim(other, LEASE)).toEqual(conflict("created"));
  });

  test("replaces no pix whose id is beyond 2^53 - 1, whose picture was received, or that a postback shows paid", async () => {
    const picture = aTransaction({ pix: { qrcodeText: "", qrcode: "data:image/png;base64,AA==" } });
    const stores = [
      await storeAfter(claim, end({ outcome: "created", transactionId: "99999999999999999999" })),
      await storeAfter(claim, end({ outcome: "created", transactionId: ID, transaction: picture })),
      await storeAfter(...bothLost, settle("processing", 1)),
      await storeAfter(...bothLost, settle("refunded", 1)),
      await storeAfter(...bothLost, settle("approved", 1, { amount: 5 })),
      // The code of the overtaken caller can be paid.
      await storeAfter(...overtaken, creates("pending", 1), end(UNKNOWN, "b")),
    ];

    const claims = stores.map((store) => store.claim(by("c"), LEASE, { replaceLost: true }));

    const states = (await Promise.all(claims)).map(({ state }) => state);
    expect(states).toEqual(["created", "created", "unresolved", "unresolved", "unresolved", "unresolved"]);
  });

  test.each<[string, readonly Step[]]>([
    ["the other code was received, and expired", [creates("pending", 1), settle("expired", 1)]],
    ["both codes expired", [settle("expired", 1), settle("expired", 2)]],
  ])("replaces no pix whose call is in flight: %s", async (_title, steps) => {
    const store = await storeAfter(claim, end(UNKNOWN), replaceBy("b"));
    for (const step of [settle("pending", 2), settle("pending", 1), ...steps]) await step(store);
    expect(await store.claim(by("c"), LEASE, { replaceLost: true })).not.toEqual({ state: "yours" });
    leasesEnd();
    expect(await store.claim(by("c"), LEASE, { replaceLost: true })).toEqual({ state: "yours" });
  });

  test("replaces at most 100 lost attempts, and none because of an inherited option", async () => {
    const replaced = Array.from({ length: 100 }, (_, nth) => [replaceBy(`owner-${nth}`), leaseEnds]);
    const many = await storeAfter(...unresolved, ...replaced.flat());
    expect(await many.claim(by("b"), LEASE, { replaceLost: true })).toEqual({ state: "unresolved" });

    const one = await storeAfter(...unresolved);
    const inherited = Object.create({ replaceLost: true });
    expect(await one.claim(by("b"), LEASE, inherited)).toEqual({ state: "unresolved" });
  });
});

describe("the end of an attempt", () => {
  test.each<[string, readonly Step[], id: number, owner: string, duplicates: readonly number[]]>([
    [
      "nothing if its own transaction has expired since",
      [...unresolved, settle("expired", 1), claimBy("b"), creates("approved", 2, "b")],
      1,
      "a",
      [],
    ],
    ["one whose status the SDK does not know", [...overtaken, settle("unrecognized", 2)], 1, "a", [2]],
    ["not a lost pix that was replaced", [...unresolved, settle("pending", 1), replaceBy("b")], 2, "b", []],
  ])("reports as a possible duplicate %s", async (_what, steps, id, owner, duplicates) => {
    const store = await storeAfter(...steps);

    expect(idsIn(await store.recordOutcome(by(owner), createdAs("pending", id)))).toEqual(duplicates);
  });

  test("restores its own terms", async () => {
    const store = await storeAfter(claim, leaseEnds, resolve(NOT_CHARGED));
    await attempt(store, NOT_CREATED, { ...by("b"), paymentMethod: "credit_card", installments: "3" });

    await store.recordOutcome(ORDER, createdAs("pending", 1));

    expect(await transactionOf(store)).toMatchObject({ transactionId: 1 });
  });

  test("shows no code that another code of the order has replaced", async () => {
    const isReplaced = async (steps: readonly Step[], owner: string, id: number) =>
      (await (await storeAfter(...steps)).recordOutcome(by(owner), createdAs("pending", id))).isReplaced;

    expect(await isReplaced([...replacing, settle("pending", 1)], "a", 1)).toBe(true);
    expect(await isReplaced([...replacing, end(NOT_CREATED, "b")], "a", 1)).toBe(false);
    expect(await isReplaced([...replacing, leaseEnds, creates("pending", 1)], "b", 2)).toBe(true);
    expect(await isReplaced([...replacing, settle("approved", 1)], "b", 2)).toBe(true);
    expect(await isReplaced([claim, settle("pending", 7)], "a", 1)).toBe(false); // it may be invented
  });
});

describe("a signed postback", () => {
  test.each<[string, readonly Step[], string | undefined]>([
    ["the later of two", [...second, creates("refused", 2, "b")], "refused"],
    ["a pix that can be paid again", [...second, creates("pending", 2, "b")], undefined],
  ])("leaves in the record of a free order how it ended: %s", async (_what, steps, lastStatus) => {
    expect((await (await storeAfter(...steps)).get(REF))?.lastStatus).toBe(lastStatus);
  });

  test("changes the status of a transaction, and drops its old amounts, which have changed", async () => {
    const transaction = aTransaction({ paidAmount: 0, refundedAmount: 0, refusedAmount: 0 });
    const store = await storeAfter(claim, end({ outcome: "created", transactionId: ID, transaction }));
    expect((await transactionOf(store)).transaction).toEqual(transaction);

    for (let times = 0; times < 2; times += 1) await settle("approved", ID, { rawStatus: "PAID" })(store);

    const paid = aTransaction({ status: "approved", rawStatus: "PAID" });
    expect((await transactionOf(store)).transaction).toEqual(paid);
  });

  test.each(["pending", "processing", "unrecognized"] as const)(
    "that reports a pix as %s before the response leaves it claimed until its code is known, or the call is over",
    async (status) => {
      const early = [claim, settle(status)];
      const claimed = await storeAfter(...early);
      expect(await stateOf(claimed)).toBe("claimed");
      expect(await listed(claimed)).toEqual([]);

      for (const [last, pix] of [
        [creates("pending"), { qrcodeText: "00020101021226" }],
        [end(UNKNOWN), undefined],
        [leaseEnds, undefined],
      ] as const) {
        const { transactionId, transaction } = await transactionOf(await storeAfter(...early, last));
        expect([transactionId, transaction?.pix]).toEqual([ID, pix]);
      }
    },
  );

  test.each([
    ["credit_card", "processing"],
    ["pix", "approved"],
  ] as const)(
    "of a %s that is %s is its result at once: nothing more has to be sent",
    async (paymentMethod, status) => {
      const store = openStore();
      const order = { ...ORDER, paymentMethod };
      await store.claim(order, LEASE);

      await store.recordPostback(REF, aPostback(status));

      expect(await transactionOf(store, order)).toMatchObject({ transactionId: ID });
      expect(await store.renew(order, LEASE)).toBe(false);
    },
  );

  test.each(UNCHARGED)(
    "that reports %s before the response frees the order once the call is over",
    async (status) => {
      const early = [claim, settle(status)];
      const store = await storeAfter(...early);
      expect(await stateOf(store)).toBe("claimed");
      expect(await store.renew(ORDER, LEASE)).toBe(true);

      for (const last of [leaseEnds, creates("pending"), creates(status), end(UNKNOWN)]) {
        expect(await stateOf(await storeAfter(...early, last))).toBe("free");
      }
    },
  );

  test("does not restart a lease", async () => {
    const store = await storeAfter(claim, () => pass(10_000), settle("refused", ID, { amount: 5 }));

    expect(await store.claim(by("b"), LEASE)).toEqual({ state: "claimed", leaseLeftMs: LEASE - 10_000 });
  });
});

describe("a finding", () => {
  test.each<[string, readonly Step[], Finding, unknown]>([
    [
      "about another transaction of a paid order",
      [...replacing, creates("approved", 2, "b")],
      { transactionId: 1, status: "approved" },
      ["finding"],
    ],
    [
      "about an earlier transaction that charges no one",
      [...second, end(UNKNOWN, "b")],
      { transactionId: 1, status: "refused" },
      ["finding"],
    ],
    ["about an earlier attempt", sentTwice, { charged: false, attempt: 1 }, ["finding"]],
  ])("%s is refused, and changes nothing", async (_what, steps, finding, refusal) => {
    const store = await storeAfter(...steps);
    const before = await store.get(REF);

    expect(await refusalOf(store, finding)).toEqual(refusal);

    expect(await store.get(REF)).toEqual(before);
  });

  const approved = { transactionId: ID, status: "approved" };
  test.each<unknown>([
    "charged: false",
    { charged: "false" },
    { charged: false, ...approved },
    { charged: false, attempt: "1" },
    { charged: false, chargd: true },
    { transactionId: ID },
    { ...approved, status: "paid" },
    { ...approved, status: "unrecognized" },
    { ...approved, transactionId: "4021x" },
    { ...approved, transactionId: "04021" },
    { ...approved, transactionId: 2 ** 53 }, // it was rounded
    { ...approved, transactionId: 0 },
  ])("%j is refused", async (finding) => {
    const store = await storeAfter(...unresolved);

    expect(await refusalOf(store, finding)).toEqual(["finding"]);
    expect(await stateOf(store)).toBe("unresolved");
  });
});

describe("a list of unresolved orders", () => {
  test.each<[object, string]>([
    [{ olderThanMs: -1 }, "olderThanMs must be a number"],
    [{ olderThanMs: "60" }, "olderThanMs must be a number"],
    [{ olderThan: 5 }, "olderThan is not an option"],
  ])("refuses the options %j", async (options, message) => {
    await expect(listed(openStore(), options)).rejects.toThrow(message);
  });
});
