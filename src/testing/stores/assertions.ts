import assert from "node:assert/strict";

/** Fails unless both have the same fields and values. A field that is `undefined` counts as missing. */
export function equals(actual: unknown, expected: unknown): void {
  assert.deepEqual(toPlain(actual), toPlain(expected));
}

/** Fails unless the value has the expected fields. It may have others. */
export function matches(actual: unknown, expected: unknown): void {
  equals(pickFields(actual, expected), expected);
}

/** Fails unless the promise rejects with an error that has the expected fields. */
export async function rejects(promise: Promise<unknown>, expected: object): Promise<void> {
  await assert.rejects(promise, (reason: unknown) => {
    matches(reason, expected);
    return true;
  });
}

/** Fails unless the claim has the expected fields, and `leaseLeftMs` above `minMs` and at most `maxMs`. */
export function hasLeaseLeft(claim: unknown, expected: object, minMs: number, maxMs: number): void {
  const { leaseLeftMs, ...rest } = claim as { readonly leaseLeftMs?: unknown };
  equals(rest, expected);
  assert(
    typeof leaseLeftMs === "number" && leaseLeftMs > minMs && leaseLeftMs <= maxMs,
    `leaseLeftMs must be above ${minMs} and at most ${maxMs}, and is ${String(leaseLeftMs)}`,
  );
}

/** Fails unless the text is a time in UTC, in the format of `Date.prototype.toISOString`. */
export function isTime(text: string): void {
  const time = new Date(text);
  assert(!Number.isNaN(time.valueOf()), `${JSON.stringify(text)} must be an ISO 8601 time in UTC`);
  equals(text, time.toISOString());
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A copy without prototypes, which differ between drivers and between the contexts of a test runner. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, toPlain(field)]));
}

function pickFields(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => pickFields(item, expected[index]));
  }
  if (!isObject(actual) || !isObject(expected)) return actual;
  return Object.fromEntries(
    Object.entries(expected).map(([key, field]) => [key, pickFields(actual[key], field)]),
  );
}
