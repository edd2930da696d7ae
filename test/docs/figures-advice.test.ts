import { expect, test } from "vitest";
import { tableOf } from "./support/documented-tables.ts";

/** Advice is compared with no code: what is typed in here was weighed once, and does not change by chance. */

test("whether to take the same card again is said for each reason: never one that was reported, or that anti-fraud rules refused", () => {
  const advice = tableOf("refused-cards.md", "Reasons").map(([reason = "", again = ""]) => [reason, again]);

  expect(Object.fromEntries(advice)).toEqual({
    "Insufficient limit": "later, or a smaller amount",
    "Wrong data: the security code does not match": "once, typed anew",
    "Wrong data: the card has expired": "once, typed anew",
    "The card issuer did not answer": "once, after some minutes",
    "Not authorized by the card issuer": "not before the buyer has asked the bank",
    "The card was used too often": "not today",
    "Refused by the anti-fraud rules": "no",
    "The card was reported stolen": "no",
    "The card was reported lost": "no",
    "Amount outside the limits of the company": expect.stringMatching(/^no card helps: /),
  });
});

test("what to alert on begins with the thresholds that were chosen", () => {
  const thresholds = tableOf("observability.md", "What to alert on").map(([watch = "", , begin = ""]) => [
    watch,
    begin,
  ]);

  expect(Object.fromEntries(thresholds)).toMatchObject({
    "orders of which nobody knows, by age": "any",
    "a second transaction of one order": "any",
    "creates stopped by the store": "any",
    "keys or address are wrong": "any",
    "the share of creates that end unknown": "1 in 100",
    "the share of tries that are repeated": "1 in 20",
    "the share of refused cards": "twice your usual",
    "postbacks that are not taken": "any",
    "postbacks that are refused": "more than a few an hour",
    "no postback at all": "none in an hour with sales",
  });
});
