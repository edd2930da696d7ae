import fc from "fast-check";
import { expect, test } from "vitest";
import { CALLS, mutate, pathsOf, resultOf, scriptedClient } from "../support/scripted-client.ts";
import { aCardData, aPixData, aRefusedData, envelope } from "../support/service-responses.ts";

const anyField = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined });

/**
 * A valid response in which up to six other fields are removed or replaced, or that is truncated after its id; the
 * reference stays, because a response with another one belongs to another order.
 */
function anyBody(body: Record<string, unknown>) {
  const paths = pathsOf(body).filter(
    ([first, second]) => first !== "data" || !["id", "externalId"].includes(second ?? "id"),
  );
  const mutation = fc.record({ path: fc.constantFrom(...paths), value: anyField });
  const text = JSON.stringify(body);
  const afterId = text.indexOf(",", text.indexOf('"id":')) + 1;
  return fc.oneof(
    fc.array(mutation, { maxLength: 6 }).map((mutations) => JSON.stringify(mutate(body, mutations))),
    fc.integer({ min: afterId, max: text.length }).map((length) => text.slice(0, length)),
  );
}

test.each<[string, string, (data: { id: number }) => Record<string, unknown>]>([
  ["an approved card", "createCard", aCardData],
  ["a refused card", "createCard", aRefusedData],
  ["a pix", "createPix", aPixData],
])("a response with an id always reports its transaction: %s", async (_what, method, dataOf) => {
  const script = scriptedClient();
  const anyResponse = fc
    .maxSafeNat()
    .map((id) => Math.max(id, 1))
    .chain((id) => fc.record({ id: fc.constant(id), body: anyBody(envelope(dataOf({ id }))) }));

  await fc.assert(
    fc.asyncProperty(anyResponse, async ({ id, body }) => {
      script.respond = () => new Response(body, { status: 201 });

      const settled = await resultOf(() => CALLS[method]?.(script.payments) ?? Promise.reject());

      if ("error" in settled) expect(settled.error.outcome).toBe("created");
      // The error of a `success: false` may have no transactionId; its body contains the id.
      if ("error" in settled && settled.error.code !== "unexpected_response") return;
      const [found, name] = "result" in settled ? [settled.result, "id"] : [settled.error, "transactionId"];
      expect(found).toHaveProperty(name, id);
    }),
    { numRuns: 200 },
  );
});
