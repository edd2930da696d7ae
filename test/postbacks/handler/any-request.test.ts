import fc from "fast-check";
import { expect, test } from "vitest";
import { POSTBACK } from "../support/signing.ts";
import { aReceiver, urlOf } from "./support/receiver.ts";

const STATUSES = [200, 400, 401, 405, 413];

/** The handler's own end of any request; a throw fails the test. */
async function check(method: string, url: string, body: BodyInit | null) {
  const { handler, onPostback, events } = aReceiver({ maxBytes: 300 });

  const response = await handler.fetch(new Request(url, { method, body }));

  expect(STATUSES).toContain(response.status);
  expect(onPostback).toHaveBeenCalledTimes(response.status === 200 ? 1 : 0);
  expect(events).toHaveLength(response.status === 405 ? 0 : 1);
  expect(await response.json()).toBeTypeOf("object");
}

test("any bytes end in an answer of the table", async () => {
  const url = await urlOf();

  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (bytes) => check("POST", url, new Uint8Array(bytes))),
    { numRuns: 300 },
  );
});

test("any body that is nearly a postback does", async () => {
  const url = await urlOf();
  const part = fc.record(
    { id: fc.jsonValue(), status: fc.jsonValue(), amount: fc.jsonValue(), externalRef: fc.jsonValue() },
    { requiredKeys: [] },
  );

  await fc.assert(
    fc.asyncProperty(part, (changed) => check("POST", url, JSON.stringify({ ...POSTBACK, ...changed }))),
    { numRuns: 500 },
  );
});

test("any method and any URL do", async () => {
  const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "post");
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true });

  await fc.assert(
    fc.asyncProperty(method, url, async (its, where) => {
      await check(its, where, its.toUpperCase() === "POST" ? JSON.stringify(POSTBACK) : null);
    }),
    { numRuns: 300 },
  );
});
