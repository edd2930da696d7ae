import { expect, test } from "vitest";
import { assumptions } from "../../src/spec/assumptions.ts";

test("every silence and contradiction of the specification has one choice", () => {
  const ids = assumptions.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(
    expect.arrayContaining([
      "sellers-path",
      "sellers-authentication",
      "sellers-pages",
      "test-environment",
      "cancelled",
      "envelope-status",
      "pix-fields",
      "amount-outside-the-limits",
      "second-card-path",
      "names-of-the-postback-url",
      "names-of-the-reference",
      "unsigned-postbacks",
      "event-names",
      "moves-out-of-approved",
      "status-by-method",
      "cnpj-with-letters",
      "boleto",
      "debit-cards",
      "installments",
      "card-token-life",
      "card-token-uses",
      "lengths",
      "key-rotation",
    ]),
  );
});
