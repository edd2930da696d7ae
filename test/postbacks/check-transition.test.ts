import { checkTransition, type TransactionStatus, type Transition } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";

const TO = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
] as const;
const IN_SHORT = { "+": "advance", "=": "repeat", "<": "regression", "?": "unclear" } as const;

/** A row is the last known status, a column the new one, in the order of `TO`. */
const TABLE: Record<(typeof TO)[number], string> = {
  pending: /*   */ "= + + + + + + +",
  processing: /**/ "< = + + + ? + +",
  approved: /*  */ "< < = ? ? < + +",
  refused: /*   */ "< < ? = ? ? ? ?",
  cancelled: /* */ "< < ? ? = ? ? ?",
  expired: /*   */ "< < ? ? ? = ? ?", // a pix that was paid too late: let a person look
  refunded: /*  */ "< < < ? ? < = ?",
  chargedback: /**/ "< < ? ? ? < ? =", // a chargeback that was taken back may be approved again
};

const rows = Object.entries(TABLE).flatMap(([from, marks]) =>
  marks
    .split(" ")
    .map((mark, at): [TransactionStatus, TransactionStatus, Transition] => [
      from as TransactionStatus,
      TO[at] as TransactionStatus,
      IN_SHORT[mark as keyof typeof IN_SHORT],
    ]),
);

describe("what a new status says", () => {
  test("is told of every pair", () => {
    expect(rows).toHaveLength(64);
  });

  test.each(rows)("%s, then %s: %s", (from, to, transition) => {
    expect(checkTransition(from, to)).toBe(transition);
  });
});

describe("the moves that the specification states", () => {
  test.each<[TransactionStatus | undefined, TransactionStatus]>([
    [undefined, "pending"],
    [undefined, "refused"], // a card, by the answer to its creation
    ["pending", "approved"],
    ["pending", "expired"],
  ])("from %s to %s are advances", (from, to) => {
    expect(checkTransition(from, to)).toBe("advance");
  });
});

describe("an unknown past", () => {
  test.each(TO)("makes an advance of %s", (status) => {
    expect(checkTransition(undefined, status)).toBe("advance");
    expect(checkTransition(null, status)).toBe("advance");
  });
});

describe("a status that the specification does not name", () => {
  test.each<[TransactionStatus | undefined, TransactionStatus]>([
    ["approved", "unrecognized"],
    ["unrecognized", "approved"],
    ["unrecognized", "unrecognized"], // two of them need not be the same
    [undefined, "unrecognized"],
  ])("makes the move from %s to %s unclear", (from, to) => {
    expect(checkTransition(from, to)).toBe("unclear");
  });

  test.each(["paid", "toString", "__proto__"])("also where a caller's own %j is none", (from) => {
    expect(checkTransition(from as TransactionStatus, "approved")).toBe("unclear");
  });
});
