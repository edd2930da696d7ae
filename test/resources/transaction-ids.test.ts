import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CALLS,
  type CallResult,
  mutate,
  pathsOf,
  resultOf,
  scriptedClient,
} from "../support/scripted-client.ts";
import { aCardData, aPixData, aRefusedData, envelope } from "../support/service-responses.ts";

/** The id in the result or the error of a create call, as digits. */
function idOf(settled: CallResult): string | undefined {
  if ("result" in settled) return String((settled.result as { id: number }).id);
  const { transactionId } = settled.error as { transactionId?: number | string };
  return transactionId === undefined ? undefined : String(transactionId);
}

/** Whether the caller learns that a transaction exists. */
function isKnown(settled: CallResult): boolean {
  return "result" in settled || settled.error.outcome === "created";
}

const id = fc
  .oneof(
    fc.integer({ min: 1 }),
    fc.maxSafeInteger().map((value) => Math.abs(value) + 1),
  )
  .filter(Number.isSafeInteger);
const anyField = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined });

/**
 * A valid response with an id, in which up to six other fields are removed or replaced; the reference stays, because a
 * response with another one belongs to another order.
 */
function nearlyValid(data: Record<string, unknown>) {
  const paths = pathsOf(envelope(data)).filter(
    ([first, second]) => first !== "data" || !["id", "externalId"].includes(second ?? "id"),
  );
  const mutations = fc.array(fc.record({ path: fc.constantFrom(...paths), value: anyField }), {
    maxLength: 6,
  });
  return fc.tuple(id, mutations).map(([number, changes]) => ({
    number,
    body: mutate(envelope({ ...data, id: number }), changes),
  }));
}

describe("a response with an id always reports its transaction:", () => {
  test.each<[string, "createCard" | "createPix", Record<string, unknown>]>([
    ["an approved card", "createCard", aCardData()],
    ["a refused card", "createCard", aRefusedData()],
    ["a pix", "createPix", aPixData()],
  ])("for %s, with any other fields", async (_what, method, data) => {
    const script = scriptedClient();
    const call = CALLS[method];

    await fc.assert(
      fc.asyncProperty(nearlyValid(data), async ({ number, body }) => {
        script.respond = () => new Response(JSON.stringify(body), { status: 201 });

        const settled = await resultOf(() => call?.(script.payments) ?? Promise.reject());

        expect(isKnown(settled)).toBe(true);
        // The error of a `success: false` may have no transactionId; its body contains the id.
        if ("result" in settled || settled.error.code === "unexpected_response")
          expect(idOf(settled)).toBe(String(number));
      }),
      { numRuns: 100 },
    );
  });

  test("if it is truncated anywhere after the id", async () => {
    const script = scriptedClient();
    const text = JSON.stringify(envelope(aCardData()));
    const afterId = text.indexOf('"id":4021,') + '"id":4021,'.length;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: afterId, max: text.length }), async (length) => {
        script.respond = () => new Response(text.slice(0, length), { status: 201 });

        const settled = await resultOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());

        expect(isKnown(settled)).toBe(true);
        expect(idOf(settled)).toBe("4021");
      }),
      { numRuns: 100 },
    );
  });
});
