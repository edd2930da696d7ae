import { describe, expect, test } from "vitest";
import { assumptions } from "../../src/spec/assumptions.ts";

/** Headings of the specification, typed in by hand. */
const HEADINGS = [
  "General rules",
  "Resources and their fields",
  "Transaction (response envelope)",
  "Transaction (`data`)",
  "Order item",
  "Card token",
  "Company",
  "Seller revenue (list entry)",
  "States and transitions",
  "Endpoints",
  "POST /api/v1/transactions",
  "POST /api/v1/card-token",
  "GET /sellers",
  "Authentication",
  "Events",
  "Postback notification",
  "Configurable event names",
  "Errors",
  "Limits",
  "Versioning",
];

describe("every silence and contradiction has its choice", () => {
  test.each([
    ["the seller path prefix", "sellers-path"],
    ["the sellers' authentication", "sellers-authentication"],
    ["pages of sellers", "sellers-pages"],
    ["the test environment", "test-environment"],
    ["canceled and cancelled", "cancelled"],
    ["envelope status 201 and 1", "envelope-status"],
    ["pix fields required or optional", "pix-fields"],
    ["an amount outside the limits", "amount-outside-the-limits"],
    ["the second card path", "second-card-path"],
    ["postbackUrl and postBackUrl", "names-of-the-postback-url"],
    ["externalRef, externalId and customer.externalRef", "names-of-the-reference"],
    ["unsigned postbacks and their retries", "unsigned-postbacks"],
    ["event names against postbacks", "event-names"],
    ["moves out of approved", "moves-out-of-approved"],
    ["chargedback on a pix", "status-by-method"],
    ["digits only against a CNPJ with letters", "cnpj-with-letters"],
    ["boleto", "boleto"],
    ["debit cards", "debit-cards"],
    ["the range of installments", "installments"],
    ["claims of the card token", "card-token-life"],
    ["single use of the card token", "card-token-uses"],
    ["lengths that are not shown", "lengths"],
    ["key rotation", "key-rotation"],
  ])("%s", (_silence, id) => {
    const [assumption, ...others] = assumptions.filter((entry) => entry.id === id);

    expect(others).toEqual([]);
    expect(assumption?.found).toMatch(/\.$/);
    expect(assumption?.choice).toMatch(/\.$/);
  });

  test("each has a name of its own", () => {
    const ids = assumptions.map(({ id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
  });

  test("each names a part of the specification", () => {
    const elsewhere = assumptions.filter(({ section }) => !HEADINGS.includes(section));

    expect(elsewhere).toEqual([]);
  });
});
