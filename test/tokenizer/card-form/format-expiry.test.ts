import { formatExpiry, isExpired, securityCodeLength } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("an expiry date is formatted while it is typed", () => {
  test.each([
    ["1", "1"],
    ["4", "04/"],
    ["04", "04"], // the slash was deleted
    ["1/", "01/"],
    ["12/3", "12/3"],
    ["1239", "12/39"],
    ["1339", "13/39"], // wrong, and for the buyer to correct
    ["03/20", "03/20"],
    ["03/203", "03/203"], // on the way to 2039
    ["03/2039", "03/39"],
    ["2039-03", "03/39"],
    ["０３／３９", "03/39"],
    ["12/399", "12/39"],
    ["52/39", "52/39"], // the 1 of 12/39 was replaced: not May 2023
    ["5123", "51/23"],
    ["39-03", "39/03"], // year first? Two digits do not show it
    ["2039-03-31", "03/39"],
    ["203903", "03/39"],
    ["x", ""],
  ])("%j: %j", (typed, formatted) => {
    expect(formatExpiry(typed)).toBe(formatted);
    expect(formatExpiry(formatted)).toBe(formatted);
  });
});

test.each([
  ["2026-12-01T11:59:59Z", false], // still November twelve hours behind UTC
  ["2026-12-01T12:00:00Z", true],
])("a card of November 2026 at %s has expired: %s", (now, hasExpired) => {
  const expiry = { expirationMonth: "11", expirationYear: "2026" };

  expect(isExpired(expiry, new Date(now))).toBe(hasExpired);
});

test.each([
  ["amex", 4],
  ["visa", 3],
  [undefined, undefined],
] as const)("the security code of %s has %s digits", (brand, length) => {
  expect(securityCodeLength(brand)).toBe(length);
});
