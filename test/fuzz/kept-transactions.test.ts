import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aCardData, aPixData, aRefusedData, envelope } from "../support/service-responses.ts";
import { mutate, pathsOf } from "./support/any-value.ts";
import { CALLS, type End, endOf, scriptedClient } from "./support/scripted-client.ts";

/** The id that the end of a create names, as digits. */
function idOf(end: End): string | undefined {
  if ("result" in end) return String((end.result as { id: number }).id);
  const { transactionId } = end.error as { transactionId?: number | string };
  return transactionId === undefined ? undefined : String(transactionId);
}

/** Whether whoever called knows that a transaction exists. */
function isKnown(end: End): boolean {
  return "result" in end || end.error.outcome === "created";
}

const id = fc
  .oneof(
    fc.integer({ min: 1 }),
    fc.maxSafeInteger().map((value) => Math.abs(value) + 1),
  )
  .filter(Number.isSafeInteger);
const anyField = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined });

/**
 * A good answer with an id, in which up to six other fields are gone or something else; the reference stays, because an
 * answer with another one belongs to another order.
 */
function nearlyGood(data: Record<string, unknown>) {
  const paths = pathsOf(envelope(data)).filter(
    ([first, second]) => first !== "data" || !["id", "externalId"].includes(second ?? "id"),
  );
  const mutations = fc.array(fc.record({ path: fc.constantFrom(...paths), value: anyField }), {
    maxLength: 6,
  });
  return fc.tuple(id, mutations).map(([number, changes]) => ({
    number,
    answer: mutate(envelope({ ...data, id: number }), changes),
  }));
}

describe("an answer with an id never loses its transaction", () => {
  test.each<[string, "createCard" | "createPix", Record<string, unknown>]>([
    ["an approved card", "createCard", aCardData()],
    ["a refused card", "createCard", aRefusedData()],
    ["a pix", "createPix", aPixData()],
  ])("of %s, whatever else is wrong", async (_what, method, data) => {
    const script = scriptedClient();
    const call = CALLS[method];

    await fc.assert(
      fc.asyncProperty(nearlyGood(data), async ({ number, answer }) => {
        script.answer = () => new Response(JSON.stringify(answer), { status: 201 });

        const end = await endOf(() => call?.(script.payments) ?? Promise.reject());

        expect(isKnown(end)).toBe(true);
        // A refusal by `success: false` is told without an id of its own; its body holds it.
        if ("result" in end || end.error.code === "unexpected_response")
          expect(idOf(end)).toBe(String(number));
      }),
      { numRuns: 100 },
    );
  });

  test("that is text, or too large for a number", async () => {
    const script = scriptedClient();

    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.boolean(), async (number, quoted) => {
        const digits = quoted ? `"${number}"` : String(number);
        const text = JSON.stringify(envelope({ ...aCardData(), id: 0 })).replace('"id":0', `"id":${digits}`);
        script.answer = () => new Response(text, { status: 201 });

        const end = await endOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());

        expect(isKnown(end)).toBe(true);
        expect(idOf(end)).toBe(String(number));
      }),
      { numRuns: 100 },
    );
  });

  test("that broke off somewhere behind the id", async () => {
    const script = scriptedClient();
    const text = JSON.stringify(envelope(aCardData()));
    const behind = text.indexOf('"id":4021,') + '"id":4021,'.length;

    await fc.assert(
      fc.asyncProperty(fc.integer({ min: behind, max: text.length }), async (length) => {
        script.answer = () => new Response(text.slice(0, length), { status: 201 });

        const end = await endOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());

        expect(isKnown(end)).toBe(true);
        expect(idOf(end)).toBe("4021");
      }),
      { numRuns: 100 },
    );
  });
});

test("an answer that broke off inside its id names no other", async () => {
  const script = scriptedClient();
  const text = '{"success":true,"data":{"id":4021';

  for (let length = 1; length <= text.length; length += 1) {
    script.answer = () => new Response(text.slice(0, length), { status: 201 });
    const end = await endOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());

    expect(end).toMatchObject({ error: { code: "unexpected_response", outcome: "unknown" } });
    expect(idOf(end)).toBeUndefined();
  }
});
