import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attempt, Order, type Outcome } from "../../../../examples/checkout/server/orders.ts";
import type { OrderState } from "../../../../examples/checkout/shared/order-view.ts";

type Status = Outcome["status"];

const CODE = { code: "000201" };

/** What an attempt may be told: a status, or what its error means. */
type News = Status | "answer lost" | "not charged";

function tell(order: Order, attempt: Attempt, news: News): void {
  if (news === "answer lost") order.leaveOpen(attempt);
  else if (news === "not charged") order.giveBack(attempt);
  else order.settle(attempt, { status: news, pix: CODE });
}

/** An order whose first attempt is under way, and what happened to it. */
function after(all: readonly News[]): OrderState {
  const order = new Order();
  const attempt = order.begin("pix") as Attempt;
  for (const news of all) tell(order, attempt, news);
  return order.view().state;
}

describe("where an order stands", () => {
  test.each<[News[], OrderState["kind"]]>([
    [[], "paying"],
    [["pending"], "pix"],
    [["pending", "approved"], "paid"],
    [["approved", "pending"], "paid"], // the postback came before the answer
    [["approved", "expired"], "paid"],
    [["approved", "refused"], "paid"],
    [["approved", "approved"], "paid"],
    [["approved", "answer lost"], "paid"],
    [["approved", "not charged"], "paid"],
    [["approved", "refunded"], "refunded"],
    [["approved", "chargedback"], "chargedback"],
    [["refunded", "approved"], "refunded"], // out of order
    [["chargedback", "approved"], "chargedback"],
    [["chargedback", "refunded"], "chargedback"],
    [["pending", "unrecognized"], "pix"], // says nothing, and the code is good
    [["processing"], "processing"],
    [["processing", "refused"], "open"],
    [["pending", "expired"], "open"],
    [["pending", "cancelled"], "open"],
    [["expired", "approved"], "paid"], // late, and money all the same
    [["unrecognized"], "checking"],
    [["answer lost"], "checking"],
    [["answer lost", "approved"], "paid"],
    [["answer lost", "refused"], "open"],
    [["not charged"], "open"],
  ])("after %j: %s", (news, kind) => {
    expect(after(news).kind).toBe(kind);
  });
});

test("a refusal says why, and counts", () => {
  const order = new Order();

  order.settle(order.begin("card") as Attempt, { status: "refused", refusedReason: "Insufficient limit" });

  expect(order.view().state).toEqual({ kind: "open", refusedReason: "Insufficient limit" });
  expect(order.refusals).toBe(1);
});

test("each attempt has a reference of its own", () => {
  const order = new Order();
  const first = order.begin("card") as Attempt;
  order.giveBack(first);
  const second = order.begin("card") as Attempt;

  expect(first.externalRef).not.toBe(second.externalRef);
});

test("late news of an earlier attempt take nothing from the one that is under way", () => {
  const order = new Order();
  const first = order.begin("pix") as Attempt;
  order.settle(first, { status: "expired" });
  order.begin("card");

  order.settle(first, { status: "cancelled" });

  expect(order.kind).toBe("paying");
});

describe("where two attempts brought money", () => {
  function paidTwice() {
    const order = new Order();
    const first = order.begin("pix") as Attempt;
    order.settle(first, { status: "expired" });
    const second = order.begin("card") as Attempt;
    order.settle(second, { status: "approved" });
    order.settle(first, { status: "approved" }); // a pix may be paid in its last second
    return { order, first, second };
  }

  test("the order stays paid when one is given back", () => {
    const { order, first } = paidTwice();

    order.settle(first, { status: "refunded" });

    expect(order.view().state).toEqual({ kind: "paid", method: "card" });
  });

  test("it is refunded when both are, and no late postback pays it again", () => {
    const { order, first, second } = paidTwice();

    order.settle(first, { status: "refunded" });
    order.settle(second, { status: "refunded" });
    order.settle(first, { status: "approved" });

    expect(order.kind).toBe("refunded");
  });
});

test.each(["expired", "cancelled"] as const)("an attempt that ended %s is told as that", (status) => {
  const order = new Order();

  order.settle(order.begin("card") as Attempt, { status });

  expect(order.view().state).toEqual({ kind: "open", ended: status });
});

test("each change makes a newer view", () => {
  const order = new Order();
  const revisions: number[] = [];
  order.watch(({ revision }) => revisions.push(revision));

  order.settle(order.begin("card") as Attempt, { status: "approved" });

  expect(revisions).toEqual([0, 1, 2]);
});

const MONEY = ["approved", "refunded", "chargedback"] as const;
const news = fc.constantFrom<News>(
  ...(["pending", "processing", "refused", "cancelled", "expired", "unrecognized"] as const),
  ...(["answer lost", "not charged"] as const),
  ...MONEY,
);
/** Another attempt begins, or one of those that there are hears something. */
const happenings = fc.array(fc.oneof(fc.constant("begin" as const), fc.tuple(fc.nat(3), news)), {
  maxLength: 20,
});

test("whatever happens, no attempt begins while another one is open, or after money came", () => {
  fc.assert(
    fc.property(happenings, (happened) => {
      const order = new Order();
      let paid = false;
      for (const what of happened) {
        const before = order.kind;
        if (what === "begin") {
          expect(order.begin("card") !== undefined).toBe(before === "open");
          continue;
        }
        const [which, heard] = what;
        const attempt = order.attempts[which];
        if (attempt === undefined) continue;
        tell(order, attempt, heard);
        paid ||= MONEY.some((status) => status === heard);
        expect(["paid", "refunded", "chargedback"].includes(order.kind)).toBe(paid);
      }
    }),
    { numRuns: 2_000 },
  );
});
