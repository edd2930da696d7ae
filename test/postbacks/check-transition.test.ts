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
const IN_SHORT: Readonly<Record<string, Transition>> = {
  "+": "advance",
  "=": "repeat",
  "<": "regression",
  "?": "unclear",
};

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

test.each(TO)("what each status says after %s", (from) => {
  expect(TO.map((to) => checkTransition(from, to))).toEqual(
    TABLE[from].split(" ").map((mark) => IN_SHORT[mark]),
  );
});

test.each<[TransactionStatus | undefined, TransactionStatus]>([
  [undefined, "pending"],
  [undefined, "refused"], // a card, by the answer to its creation
  ["pending", "approved"],
  ["pending", "expired"],
])("the move that the specification states from %s to %s is an advance", (from, to) => {
  expect(checkTransition(from, to)).toBe("advance");
});

test.each(TO)("with an unknown past %s is an advance", (status) => {
  expect(checkTransition(undefined, status)).toBe("advance");
  expect(checkTransition(null, status)).toBe("advance");
});

describe("a status that the specification does not name", () => {
  test.each<[TransactionStatus | undefined, TransactionStatus]>([
    ["approved", "unrecognized"],
    ["unrecognized", "approved"],
    ["unrecognized", "unrecognized"], // two of them need not be the same
    [undefined, "unrecognized"],
    ["paid" as TransactionStatus, "approved"],
    ["__proto__" as TransactionStatus, "approved"],
  ])("makes the move from %s to %s unclear", (from, to) => {
    expect(checkTransition(from, to)).toBe("unclear");
  });
});
