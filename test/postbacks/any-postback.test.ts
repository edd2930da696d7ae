import fc from "fast-check";
import { InvalidPostbackError, type Postback, parsePostback } from "payments-sdk/postbacks";
import { expect, test } from "vitest";

/** Parses a body: the postback, or an `InvalidPostbackError`. Any other error fails the test. */
function resultOf(input: unknown): Postback | InvalidPostbackError {
  try {
    return parsePostback(input as string);
  } catch (error) {
    if (error instanceof InvalidPostbackError) return error;
    throw error;
  }
}

/** Checks what holds for the result of every body. */
function check(result: Postback | InvalidPostbackError): void {
  if (result instanceof InvalidPostbackError) {
    expect(result.issues.length).toBeGreaterThan(0);
    expect(result.message).not.toContain("[object ");
    return;
  }
  expect(Number.isSafeInteger(result.id) && result.id > 0).toBe(true);
  expect(Number.isSafeInteger(result.amount) && result.amount >= 0).toBe(true);
  expect(result.rawStatus).not.toBe("");
  if (result.status === "approved") expect(["approved", "paid"]).toContain(result.rawStatus.toLowerCase());
}

const status = fc.oneof(
  fc.constantFrom("approved", "PAID", "Approved", "canceled", "approved ", "not_paid", "__proto__"),
  fc.string(),
  fc.jsonValue(),
);
const integer = fc.oneof(fc.integer(), fc.integer().map(String), fc.double(), fc.jsonValue());

/** Bodies that resemble postbacks. */
const almostAPostback = fc.record(
  { id: integer, status, amount: integer, externalRef: fc.jsonValue(), transactionDate: fc.jsonValue() },
  { requiredKeys: [] },
);

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary" }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  almostAPostback,
  almostAPostback.map((body) => JSON.stringify(body)),
);

test("any value parses to a postback or an InvalidPostbackError, and is approved only by its own status", () => {
  fc.assert(
    fc.property(anything, (value) => check(resultOf(value))),
    { numRuns: 1_000 },
  );
});
