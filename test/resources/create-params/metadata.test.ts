import { describe, expect, test } from "vitest";
import { aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfPix, warningsOf } from "../../support/recording-client.ts";

const withMetadata = (metadata: unknown) => ({ ...aPix(), metadata });

test.each<[string, unknown, string]>([
  ["an object", { cart: 7, tags: ["a", null] }, '{"cart":7,"tags":["a",null]}'],
  ["an array", [{ cart: 7 }, "a"], '[{"cart":7},"a"]'],
  ["an empty array", [], "[]"],
  ["an object with toJSON", { toJSON: () => ({ own: 1 }) }, '{"own":1}'],
  ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
  [
    "names that every object inherits",
    JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    '{"__proto__":{"a":1},"constructor":2}',
  ],
  ["a string of JSON", '{"cart":7}', '{"cart":7}'],
  // as JSON.stringify does
  ["a function inside", { a: 1, onDone: () => 1 }, '{"a":1}'],
  ["undefined inside", { a: undefined, b: [undefined] }, '{"b":[null]}'],
])("metadata is sent as a JSON string: %s", async (_what, metadata, sent) => {
  const body = await bodyOf("createPix", withMetadata(metadata));

  expect(body["metadata"]).toBe(sent);
});

describe("metadata that cannot be written as JSON is not sent", () => {
  const throwing = { toJSON: () => JSON.parse("{") };

  test.each<[string, unknown, string, string]>([
    ["a number", 7, "metadata", "must be an object, or a string of JSON"],
    ["null", null, "metadata", "must be an object, or a string of JSON"],
    ["a BigInt inside", { total: 7n }, "metadata", "cannot be written as JSON"],
    ["a toJSON that throws", throwing, "metadata", "cannot be written as JSON"],
    ["a toJSON that returns undefined", { toJSON: () => undefined }, "metadata", "cannot be written as JSON"],
  ])("%s", async (_what, metadata, field, message) => {
    const issues = await issuesOfPix(withMetadata(metadata));

    expect(issues).toEqual([{ field, message }]);
  });
});

describe("metadata has at most 64,000 bytes", () => {
  const OVERHEAD = '{"text":""}'.length;

  test.each<[string, unknown]>([
    ["as an object", { text: "x".repeat(64_000 - OVERHEAD) }],
    ["as a string", "7".repeat(64_000)],
    ["in characters of two bytes", { text: "ç".repeat((64_000 - OVERHEAD - 1) / 2) }],
  ])("64,000 are sent %s", async (_what, metadata) => {
    const body = await bodyOf("createPix", withMetadata(metadata));

    expect(new TextEncoder().encode(String(body["metadata"])).length).toBeGreaterThan(63_998);
  });

  test.each<[string, unknown]>([
    ["as an object", { text: "x".repeat(64_001 - OVERHEAD) }],
    ["as a string", "7".repeat(64_001)],
    ["in characters of two bytes", { text: "ç".repeat(32_000) }], // 32,011 characters
    ["in characters of three bytes", "日".repeat(21_334)],
    ["in characters of four bytes", "💳".repeat(16_001)],
  ])("64,001 are not sent %s", async (_what, metadata) => {
    const issues = await issuesOfPix(withMetadata(metadata));

    expect(issues).toEqual([{ field: "metadata", message: "must be at most 64000 bytes" }]);
  });
});

test.each(["cart 7", "{cart:7}", "", "undefined", "{'a':1}"])(
  "a metadata string that is not JSON: %j is sent, with a warning",
  async (metadata) => {
    const body = await bodyOf("createPix", withMetadata(metadata));
    const warnings = await warningsOf("createPix", withMetadata(metadata));

    expect(body["metadata"]).toBe(metadata);
    expect(warnings).toEqual([
      { field: "metadata", message: "is a string that is not JSON; it is sent unchanged" },
    ]);
  },
);
