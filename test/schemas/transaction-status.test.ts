import { describe, expect, test } from "vitest";
import { readStatus } from "../../src/schemas/transaction-status.ts";

describe("a status", () => {
  test.each([
    ["pending", "pending"],
    ["processing", "processing"],
    ["approved", "approved"],
    ["refused", "refused"],
    ["cancelled", "cancelled"],
    ["canceled", "cancelled"],
    ["expired", "expired"],
    ["refunded", "refunded"],
    ["chargedback", "chargedback"],
    ["chargeback", "chargedback"],
    ["paid", "approved"],
    ["waiting_payment", "pending"],
    ["APPROVED", "approved"],
    ["Paid", "approved"],
    ["WAITING_PAYMENT", "pending"],
    ["Canceled", "cancelled"],
  ])("%j is read as %s", (raw, status) => {
    expect(readStatus(raw)).toBe(status);
  });

  test.each([
    "",
    " approved",
    "approved ",
    "approved\u0000",
    "аpproved", // its first letter is Cyrillic
    "not_approved",
    "unapproved",
    "partially_paid",
    "unpaid",
    "PENDING_3DS",
    "constructor",
    "__proto__",
    "unrecognized",
    "1",
    undefined,
  ])("%j is unrecognized, and never taken for paid", (raw) => {
    expect(readStatus(raw)).toBe("unrecognized");
  });
});
