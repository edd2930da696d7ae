import { parseExpiry } from "payments-sdk/browser";
import { describe, expect, test } from "vitest";

describe("an expiry date is read in many formats", () => {
  test.each([
    ["03/31"],
    ["3/31"],
    ["03/2031"],
    ["03 / 31"],
    [" 03/31 "],
    ["03.31"],
    ["0331"],
    ["032031"],
    ["2031-03"],
    ["2031-03-31"],
    ["203103"],
    ["０３／３１"],
  ])("%j", (typed) => {
    expect(parseExpiry(typed)).toEqual({ expirationMonth: "03", expirationYear: "2031" });
  });

  test.each([
    ["1/05", "01", "2005"], // in the past; the service decides
    ["10/2099", "10", "2099"],
    ["1231", "12", "2031"],
  ])("%j: %s, %s", (typed, expirationMonth, expirationYear) => {
    expect(parseExpiry(typed)).toEqual({ expirationMonth, expirationYear });
  });
});

test.each([
  [""],
  ["03/"],
  ["00/31"],
  ["13/31"],
  ["331"], // month or year?
  ["20313"],
  ["39-03"],
  ["03/1931"],
  ["03/31x"],
])("%j is not an expiry date", (typed) => {
  expect(parseExpiry(typed)).toBeUndefined();
});
