import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
import { mutate, pathsOf } from "./support/any-value.ts";
import { CALLS, type End, endOf, scriptedClient } from "./support/scripted-client.ts";

const PAID = new Set(["approved", "paid"]);
const GOOD = [
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

/** A good answer of some endpoint with up to three fields that are gone or something else. */
const nearlyGood = fc.constantFrom(...GOOD).chain((answer) =>
  fc
    .array(
      fc.record({
        path: fc.constantFrom(...pathsOf(answer)),
        value: fc.option(anyJson, { nil: undefined }),
      }),
      { maxLength: 3 },
    )
    .map((mutations) => mutate<unknown>(answer, mutations)),
);

const anyText = fc.oneof(
  { weight: 4, arbitrary: nearlyGood.map((answer) => JSON.stringify(answer)) },
  { weight: 2, arbitrary: anyJson.map((answer) => JSON.stringify(answer)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: nearlyGood.map((answer) => JSON.stringify(answer).slice(0, -7)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", " ", "null", '""', "<html>error 520</html>", "[]", "{}", '{"data":{}}'),
  },
);

const headerName = fc.oneof(
  fc.constantFrom(
    "content-type",
    "content-length",
    "content-encoding",
    "retry-after",
    "location",
    "x-request-id",
    "set-cookie",
  ),
  fc.stringMatching(/^[a-z][a-z-]{0,10}$/),
);
const headerValue = fc.oneof(fc.stringMatching(/^[!-~]{0,20}$/), fc.nat().map(String), fc.constant("gzip"));
const anyHeaders = fc.array(fc.tuple(headerName, headerValue), { maxLength: 3 });
const anyStatus = fc.oneof(
  fc.constantFrom(200, 201, 202, 400, 401, 429, 500),
  fc.integer({ min: 200, max: 599 }),
);

const WITHOUT_BODY = new Set([204, 205, 304]);

function check(end: End, text: string): void {
  if ("error" in end) {
    // What the service itself wrote may be repeated.
    if (!text.includes("[object ")) expect(end.error.message).not.toContain("[object ");
    expect(end.error.message).not.toBe("");
    expect(() => JSON.stringify(end.error)).not.toThrow();
    return;
  }
  const shown: unknown = JSON.parse(JSON.stringify(end.result));
  if (typeof shown !== "object" || shown === null || !("status" in shown)) return;
  if (shown.status !== "approved") return;
  const { rawStatus, status } = shown as { rawStatus?: string; status: string };
  const own = rawStatus ?? status;
  expect(PAID).toContain(own.toLowerCase());
  expect(JSON.stringify(JSON.parse(text))).toContain(`"status":${JSON.stringify(own)}`);
}

describe("whatever the service answers ends in a result or a PaymentsError", () => {
  test.each(Object.entries(CALLS))("of %s", async (_name, call) => {
    const script = scriptedClient();

    await fc.assert(
      fc.asyncProperty(anyText, anyStatus, anyHeaders, async (text, status, headers) => {
        script.answer = () => new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers });

        check(await endOf(() => call(script.payments)), text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a body that is nested without end", () => {
  const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000);

  test.each<[string, number, string, string]>([
    ["errors inside errors", 400, `{"errors":${deep("[", "]")}}`, "rejected"],
    [
      "beside a pix without its code",
      201,
      `{"success":true,"data":{"id":7,"x":${deep("[", "]")}}}`,
      "created",
    ],
  ])("%s, with %d", async (_what, status, text, outcome) => {
    const script = scriptedClient();
    script.answer = () => new Response(text, { status });

    const end = await endOf(() => script.payments.transactions.createPix(PIX));

    expect(end).toMatchObject({ error: { outcome } });
  });
});

const PIX = {
  amount: 1990,
  customer: {
    name: "Ana",
    email: "ana@loja.example",
    document: { type: "cpf" as const, number: "52998224725" },
  },
};

test.each<[string, string]>([
  ["halves of tokens", "eyJ-".repeat(125_000)],
  ["halves of postback URLs", 'postbackurl"'.repeat(40_000)],
  ["spaces", `"data"${" ".repeat(500_000)}`],
  ["backslashes", "\\".repeat(500_000)],
  ["quotes", '"'.repeat(500_000)],
])("a long body of %s is read in time", async (_what, text) => {
  const script = scriptedClient();
  script.answer = () => new Response(text, { status: 502 });
  const startedAt = performance.now();

  const end = await endOf(() => script.payments.transactions.createPix({ ...PIX, externalRef: "order-1" }));

  expect(end).toMatchObject({ error: { code: "server_error" } });
  expect(performance.now() - startedAt).toBeLessThan(4_000);
});
