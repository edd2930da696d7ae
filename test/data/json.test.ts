import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExactJson } from "../../src/data/json.ts";

test.each([
  ["[9007199254740991]", [9_007_199_254_740_991]],
  ["[9007199254740992]", ["9007199254740992"]], // 2^53: JSON.parse returns the same number for 2^53 + 1
  ['{"id":9007199254740993}', { id: "9007199254740993" }],
  ['{"a":{"b":[{"id":12345678901234567890}]}}', { a: { b: [{ id: "12345678901234567890" }] } }],
  ['{"rate":0.1234567890123456}', { rate: 0.1234567890123456 }],
  ['{"rate":1234567890123456789.5}', { rate: 1_234_567_890_123_456_800 }], // not a whole number
  ['{"amount":99.99999999999999999}', { amount: "99.99999999999999999" }], // JSON.parse returns 100
  ['{"id":9007199254740991.3}', { id: "9007199254740991.3" }],
  ['{"amount":100.00000000000000000}', { amount: 100 }],
  ['{"rate":1e30,"id":12345678901234567890}', { rate: 1e30, id: "12345678901234567890" }],
  ["12345678901234567890", "12345678901234567890"],
  ['{"text":"id:12345678901234567890"}', { text: "id:12345678901234567890" }],
  [
    '{"a\\\\":12345678901234567890,"b":"\\",12345678901234567890"}',
    { "a\\": "12345678901234567890", b: '",12345678901234567890' },
  ],
  ["[-12345678901234567890]", ["-12345678901234567890"]],
  ['{"12345678901234567890":1e2}', { "12345678901234567890": 100 }],
])("%s keeps each digit of a whole number", (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

test.each([
  "",
  "{",
  "NaN",
  "<html>",
  "{'a':1}",
  '{"id":12345678901234567890',
  "[012345678901234567890]",
  "{12345678901234567890:1}",
  "[1.12345678901234567890.]",
])("%j is not JSON", (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
});

test("all other JSON is parsed as by JSON.parse", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!/[\d.]{16,}/.test(text));

      expect(parseExactJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each(["[1]", '{"id":12345678901234567890}'])("nesting has no limit: %s", (innermost) => {
  const depth = 100_000;

  let value = parseExactJson("[".repeat(depth) + innermost + "]".repeat(depth));
  for (let level = 0; level < depth; level += 1) [value] = value as [unknown];

  expect(value).toEqual(parseExactJson(innermost));
});
