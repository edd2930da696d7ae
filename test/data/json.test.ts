import fc from "fast-check";
import { parsePostback } from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import { parseIfJson } from "../../src/data/json.ts";
import { aPix } from "../support/merchant.ts";
import { resultOf, scriptedClient } from "../support/scripted-client.ts";
import { aPixData } from "../support/service-responses.ts";

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
  ['{"text":"id:12345678901234567890"}', { text: "id:12345678901234567890" }],
  [
    '{"a\\\\":12345678901234567890,"b":"\\",12345678901234567890"}',
    { "a\\": "12345678901234567890", b: '",12345678901234567890' },
  ],
  ["[-12345678901234567890]", ["-12345678901234567890"]],
  ['{"12345678901234567890":1e2}', { "12345678901234567890": 100 }],
])("%s keeps each digit of a whole number", (text, value) => {
  expect(parseIfJson(text)).toEqual(value);
});

test("all other JSON is parsed as by JSON.parse", () => {
  const withoutLongNumbers = fc.json().filter((text) => !/[\d.]{16,}/.test(text));

  fc.assert(
    fc.property(withoutLongNumbers, (text) => {
      expect(parseIfJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

const LONG = "1".repeat(40);

/** Long numbers are quoted before the text is parsed, which must neither break valid JSON nor accept other text. */
const VALID = [
  ...["-0", "1E+2", "1e400", "9007199254740993", `${LONG}.${LONG}`, "[ 1 ,\t2\r\n]"],
  ...[String.raw`"\"\\"`, String.raw`"\ud800"`, `"${LONG}"`, '"]}"', '"\u2028"', '{"":0}', '{"a":1,"a":2}'],
  `${"[".repeat(100_000)}{"id":${LONG}}${"]".repeat(100_000)}`,
];

const INVALID = [
  ...["", "01", "1.", "1n", "NaN", "undefined", "1 2", "'a'", '"', '"\t"', String.raw`"\x41"`],
  ...["[1,]", "[1,,2]", "{a:1}", '{"a"}', "1//", "<a>", `0${LONG}`, `${LONG}.`, `[${LONG}`, `{${LONG}:1}`],
  "[".repeat(100_000),
];

const script = scriptedClient();

async function responseTo(text: string) {
  script.respond = () => new Response(text, { status: 201 });
  return resultOf(() => script.payments.transactions.createPix(aPix()));
}

const withField = (value: string) =>
  `{"success":true,"data":${JSON.stringify(aPixData()).slice(0, -1)},"x":${value}}}`;
const postbackWith = (value: string) => `{"id":81001,"status":"approved","amount":1990,"x":${value}}`;

const shorten = (text: string) => text.slice(0, 99);

test("JSON with any valid value in an unknown field is the result, and is read as a postback", async () => {
  for (const value of VALID) {
    expect(await responseTo(withField(value)), shorten(value)).toMatchObject({ result: { id: 4021 } });
    expect(parsePostback(postbackWith(value)), shorten(value)).toMatchObject({ id: 81_001 });
  }
});

test("a text that is not JSON is created, with the id in it, and is refused as a postback", async () => {
  const error = { outcome: "created", transactionId: 4021 };
  for (const value of INVALID) {
    expect(await responseTo(withField(value)), shorten(value)).toMatchObject({ error });
    expect(() => parsePostback(postbackWith(value)), shorten(value)).toThrow("not JSON");
  }
});

test.each([
  ['"4021"', 4021],
  ["4.021e3", 4021],
  ['1,"id":4021', 4021], // the last one counts, as in JSON.parse
  ["9007199254740993", "9007199254740993"],
  ["12345678901234567890123", "12345678901234567890123"],
  ["4021.5", undefined],
  ["-4021", undefined],
  ["1e400", undefined],
])("the id %s in a response is reported as %j, never as another one", async (id, expected) => {
  const settled = await responseTo(withField("1").replace('"id":4021', `"id":${id}`));

  const reported: { id?: unknown; transactionId?: unknown } =
    "result" in settled ? Object(settled.result) : settled.error;
  expect(reported.id ?? reported.transactionId).toBe(expected);
});
