import fc from "fast-check";
import { expect, test } from "vitest";
import { aPix } from "../support/merchant.ts";
import {
  CALLS,
  type CallResult,
  mutate,
  pathsOf,
  resultOf,
  scriptedClient,
} from "../support/scripted-client.ts";
import {
  aCardData,
  aCompany,
  aPixData,
  aRefusedData,
  aRevenue,
  aSeller,
  aStatus,
  envelope,
} from "../support/service-responses.ts";

const APPROVED = new Set(["approved", "paid"]);
const VALID_BODIES = [
  envelope(aPixData()),
  envelope(aCardData()),
  envelope(aRefusedData()),
  { success: true, data: aCompany() },
  aStatus(),
  [aSeller()],
  [aRevenue()],
  { success: false, message: "Validation Error", errors: [{ field: "amount", message: "no" }] },
];

const anyJson = fc.jsonValue({ maxDepth: 4 });

/** A valid response of some endpoint with up to three fields removed or replaced. */
const nearlyValid = fc.constantFrom(...VALID_BODIES).chain((body) => {
  const value = fc.option(anyJson, { nil: undefined });
  const mutation = fc.record({ path: fc.constantFrom(...pathsOf(body)), value });
  return fc.array(mutation, { maxLength: 3 }).map((mutations) => mutate<unknown>(body, mutations));
});

const VALID_JSON = nearlyValid.map((body) => JSON.stringify(body));
const anyText = fc.oneof(
  { weight: 4, arbitrary: VALID_JSON },
  { weight: 2, arbitrary: anyJson.map((body) => JSON.stringify(body)) },
  fc.string({ unit: "binary" }),
  VALID_JSON.map((text) => text.slice(0, -7)),
  fc.constantFrom("", " ", "null", '""', "<html>error 520</html>", "[]", "{}", '{"data":{}}'),
);
const HEADERS = ["content-type", "content-length", "content-encoding", "retry-after", "location"];
const headerValue = fc.oneof(fc.stringMatching(/^[!-~]{0,20}$/), fc.nat().map(String), fc.constant("gzip"));
const anyHeaders = fc.array(fc.tuple(fc.constantFrom(...HEADERS), headerValue), { maxLength: 3 });
const anyStatus = fc.oneof(fc.constantFrom(200, 201, 400, 401, 500), fc.integer({ min: 200, max: 599 }));

const WITHOUT_BODY = new Set([204, 205, 304]);

function checkResult(settled: CallResult, text: string): void {
  if ("error" in settled) {
    // The service's own text may be repeated.
    if (!text.includes("[object ")) expect(settled.error.message).not.toContain("[object ");
    expect(settled.error.message).not.toBe("");
    expect(() => JSON.stringify(settled.error)).not.toThrow();
    return;
  }
  const shown: unknown = JSON.parse(JSON.stringify(settled.result));
  if (typeof shown !== "object" || shown === null || !("status" in shown)) return;
  if (shown.status !== "approved") return;
  const { rawStatus, status } = shown as { rawStatus?: string; status: string };
  const expectedStatus = rawStatus ?? status;
  expect(APPROVED).toContain(expectedStatus.toLowerCase());
  expect(JSON.stringify(JSON.parse(text))).toContain(`"status":${JSON.stringify(expectedStatus)}`);
}

test.each(Object.entries(CALLS))(
  "any response ends in a result or a PaymentsError of %s",
  async (_name, call) => {
    const script = scriptedClient();

    await fc.assert(
      fc.asyncProperty(anyText, anyStatus, anyHeaders, async (text, status, headers) => {
        script.respond = () => new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers });

        checkResult(await resultOf(() => call(script.payments)), text);
      }),
      { numRuns: 50 },
    );
  },
);

const DEEP = "[".repeat(200_000) + "]".repeat(200_000);
const LONG_NUMBER = `1${"0".repeat(20)}`;

test.each([
  [400, `{"errors":${DEEP},"y":${LONG_NUMBER}}`, "rejected"],
  [201, `{"data":{"id":7,"x":${DEEP},"y":${LONG_NUMBER}}}`, "created"],
])("a deeply nested body with a long number ends in a PaymentsError: %d", async (status, text, outcome) => {
  const script = scriptedClient();
  script.respond = () => new Response(text, { status });

  const settled = await resultOf(() => script.payments.transactions.createPix(aPix()));

  expect(settled).toMatchObject({ error: { outcome } });
});
