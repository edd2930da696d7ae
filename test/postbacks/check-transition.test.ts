import { checkTransition, type TransactionStatus } from "payments-sdk/postbacks";
import { expect, test } from "vitest";

const SYMBOLS = { advance: "+", repeat: "=", regression: "<", unclear: "?" };

/** A row is the last known status, a column the new one, in the same order. */
const TABLE = {
  pending: /*   */ "= + + + + + + +",
  processing: /**/ "< = + + + ? + +",
  approved: /*  */ "< < = ? ? < + +",
  refused: /*   */ "< < ? = ? ? ? ?",
  cancelled: /* */ "< < ? ? = ? ? ?",
  expired: /*   */ "< < ? ? ? = ? ?", // a pix that was paid too late: a person must look
  refunded: /*  */ "< < < ? ? < = ?",
  chargedback: /**/ "< < ? ? ? < ? =", // a reversed chargeback may be approved again
};
const TO = Object.keys(TABLE) as (keyof typeof TABLE)[];

test.each(TO)("the transition from %s to each status", (from) => {
  expect(TO.map((to) => SYMBOLS[checkTransition(from, to)]).join(" ")).toBe(TABLE[from]);
});

test.each([undefined, null])("without a previous status (%s), each status is an advance", (none) => {
  expect(new Set(TO.map((status) => checkTransition(none, status)))).toEqual(new Set(["advance"]));
});

test.each<[TransactionStatus | undefined, TransactionStatus]>([
  ["approved", "unrecognized"],
  ["unrecognized", "approved"],
  ["unrecognized", "unrecognized"], // they may be two different ones
  [undefined, "unrecognized"],
  ["paid" as TransactionStatus, "approved"],
  ["__proto__" as TransactionStatus, "approved"],
])("a status that the specification does not name makes the transition from %s to %s unclear", (from, to) => {
  expect(checkTransition(from, to)).toBe("unclear");
});
