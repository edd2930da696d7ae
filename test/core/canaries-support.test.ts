import { expect, test } from "vitest";
import { ALL, echoOf, leaksIn, tracesIn } from "../support/canaries.ts";

// A search that finds nothing proves nothing, so the search itself is tested.
test("the search for canaries finds each of them, in each of their forms", () => {
  const lines = echoOf(ALL).split(" |\n");

  const unseen = lines.filter((line) => tracesIn(line).length === 0);

  expect(lines.length).toBeGreaterThan(80);
  expect(unseen).toEqual([]);
});

test.each<[string, unknown]>([
  ["a message", new Error(echoOf(ALL))],
  ["a cause", new Error("outer", { cause: new Error(echoOf(ALL)) })],
  ["a hidden property", Object.defineProperty({}, "hidden", { value: ALL, enumerable: false })],
  [
    "a getter",
    {
      get all() {
        return ALL.join();
      },
    },
  ],
  ["headers", Object.assign(new Error("x"), { headers: new Headers({ "x-a": "sk_live_c4naryS" }) })],
  ["deep inside", [{ a: [{ b: { c: { d: ALL } } }] }]],
])("the search looks into %s", (_where, value) => {
  expect(leaksIn(value).length).toBeGreaterThan(0);
});

test("the search finds nothing where there is nothing", () => {
  expect(leaksIn(new Error("harmless", { cause: { status: 500, durationMs: 12.8317 } }))).toEqual([]);
});
