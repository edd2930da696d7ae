import fc from "fast-check";
import { InvalidPostbackError, type Postback, parsePostback } from "payments-sdk/postbacks";
import { expect, test } from "vitest";

/** What became of a body: a postback, or the one error that there is. Anything else fails the test. */
function endOf(input: unknown): Postback | InvalidPostbackError {
  try {
    return parsePostback(input as string);
  } catch (error) {
    if (error instanceof InvalidPostbackError) return error;
    throw error;
  }
}

/** What every end of a body must be. */
function check(end: Postback | InvalidPostbackError): void {
  if (end instanceof InvalidPostbackError) {
    expect(end.issues.length).toBeGreaterThan(0);
    expect(end.message).not.toContain("[object ");
    return;
  }
  expect(Number.isSafeInteger(end.id) && end.id > 0).toBe(true);
  expect(Number.isSafeInteger(end.amount) && end.amount >= 0).toBe(true);
  expect(end.rawStatus).not.toBe("");
  if (end.status === "approved") expect(["approved", "paid"]).toContain(end.rawStatus.toLowerCase());
}

const status = fc.oneof(
  fc.constantFrom("approved", "PAID", "Approved", "canceled", "approved ", "not_paid", "__proto__"),
  fc.string(),
  fc.jsonValue(),
);
const integer = fc.oneof(fc.integer(), fc.integer().map(String), fc.double(), fc.jsonValue());

/** Bodies that are nearly postbacks. */
const nearlyAPostback = fc.record(
  { id: integer, status, amount: integer, externalRef: fc.jsonValue(), transactionDate: fc.jsonValue() },
  { requiredKeys: [] },
);

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: "binary" }),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  nearlyAPostback,
  nearlyAPostback.map((body) => JSON.stringify(body)),
);

test("any value is a postback or an InvalidPostbackError, and approved only if its own status says so", () => {
  fc.assert(
    fc.property(anything, (value) => check(endOf(value))),
    { numRuns: 1_000 },
  );
});

test("whole numbers are read exactly or not at all", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 25n }), fc.boolean(), (id, quoted) => {
      const written = quoted ? `"${id}"` : String(id);

      const end = endOf(`{"id":${written},"status":"approved","amount":1}`);

      expect(end instanceof InvalidPostbackError ? undefined : BigInt(end.id)).toBe(
        id <= BigInt(Number.MAX_SAFE_INTEGER) ? id : undefined,
      );
    }),
    { numRuns: 300 },
  );
});
