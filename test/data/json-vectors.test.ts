import fc from "fast-check";
import { InvalidPostbackError, parsePostback } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { resultOf, scriptedClient } from "../fuzz/support/scripted-client.ts";
import { aPix, thrownBy } from "../support/merchant.ts";
import { aPixData } from "../support/service-responses.ts";

const deep = (innermost: string) => "[".repeat(100_000) + innermost + "]".repeat(100_000);

const LONG = "1".repeat(400);

/** Values that are separated by a bar, and some that cannot be written so. */
const VALID = [
  ..."0|-0|1e5|1E+2|0e-9|-1.5e-3|1e400|-1e400|123456789012345678901234567890|0.1e1|9007199254740993".split(
    "|",
  ),
  ...String.raw`""|"\u0000"|"\ud800"|"\udc00\ud800"|"\/\b\f\"\\"|"💳"|"]}"|[]|{}|{"":0}|{"a":1,"a":2}|{"__proto__":{"id":9}}`.split(
    "|",
  ),
  ...[`${LONG}.${LONG}`, `"${LONG}"`, '"\u007f\u2028"', "[ 1 ,\t2\r\n]", deep(""), deep(`{"id":${LONG}}`)],
];

const INVALID = [
  ..."|01|-01|+1|.5|1.|1.e1|1e|1e+|0x1|0b1|1_000|1n|-|--1|1 2|NaN|Infinity|-Infinity|undefined|tru|True|nulls".split(
    "|",
  ),
  ...String.raw`'a'|"a|a"|"\x41"|"\u12"|"\uD83D\uDE"|"\a"|"\"|“a”|[1,]|[,1]|[1,,2]|[1|1]|]|{"a":1,}|{a:1}|{1:1}|{"a"}`.split(
    "|",
  ),
  ...'{"a":}|{"a" 1}|{,}|}|{|,|:|1//|/**/1|#1|１|<a>|(1)'.split("|"),
  ...[
    '"\t"',
    '"\n"',
    '"\0"',
    "\u00a01",
    "\ufeff1",
    "1\f",
    "1\0",
    "[".repeat(100_000),
    `[${LONG}`,
    `{${LONG}:1}`,
  ],
];

const POSTBACK = '{"id":81001,"status":"approved","amount":1990';

function isParsed(text: string): boolean {
  try {
    parsePostback(text);
    return true;
  } catch (error) {
    if (error instanceof InvalidPostbackError) return false;
    throw error;
  }
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("as a response to a create call", () => {
  const script = scriptedClient();

  async function responseTo(text: string) {
    script.respond = () => new Response(text, { status: 201 });
    return resultOf(() => script.payments.transactions.createPix(aPix()));
  }

  const withField = (value: string) =>
    `{"success":true,"data":${JSON.stringify(aPixData()).slice(0, -1)},"x":${value}}}`;

  test("JSON with any valid value in an unknown field is the result", async () => {
    for (const value of VALID)
      expect(await responseTo(withField(value)), value.slice(0, 99)).toMatchObject({ result: { id: 4021 } });
  });

  test("a text that is not JSON is created, with the id in it", async () => {
    const expected = { error: { outcome: "created", transactionId: 4021 } };
    for (const value of INVALID)
      expect(await responseTo(withField(value)), value.slice(0, 99)).toMatchObject(expected);
  });

  test.each([
    ["4021", 4021],
    ['"4021"', 4021],
    ["4021.0", 4021],
    ["4.021e3", 4021],
    ['1,"id":4021', 4021], // the last one counts, as in JSON.parse
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740993", "9007199254740993"],
    ["12345678901234567890123", "12345678901234567890123"],
    ["4021.5", undefined],
    ["-4021", undefined],
    ["1e400", undefined],
  ])("the id %s is reported as %j, and never as another one", async (id, expected) => {
    const settled = await responseTo(withField("1").replace('"id":4021', `"id":${id}`));

    const reported = "result" in settled ? settled.result : settled.error;
    expect(
      (reported as { id?: unknown; transactionId?: unknown }).id ??
        Reflect.get(Object(reported), "transactionId"),
    ).toBe(expected);
  });
});

describe("as a postback", () => {
  test("a body is read if it is JSON, and refused otherwise", () => {
    for (const value of VALID) expect(isParsed(`${POSTBACK},"x":${value}}`), value.slice(0, 99)).toBe(true);
    for (const value of INVALID)
      expect(isParsed(`${POSTBACK},"x":${value}}`), value.slice(0, 99)).toBe(false);
    expect([`\ufeff${POSTBACK}}`, `\ufeff\ufeff${POSTBACK}}`].map(isParsed)).toEqual([true, false]);
  });

  test("a body that is truncated anywhere is refused", () => {
    for (let length = 0; length <= POSTBACK.length; length += 1)
      expect(isParsed(POSTBACK.slice(0, length))).toBe(false);
  });

  test("a body with one character changed is JSON exactly if JSON.parse reads it", () => {
    const text = `${POSTBACK},"x":[1.5e3,"\\u00e9",{"a":[true,null]}]}`;
    const character = fc.constantFrom(...'{}[]",:\\0123456789.eE+-tfn \n\t\0é', "");
    fc.assert(
      fc.property(fc.nat({ max: text.length - 1 }), character, (at, other) => {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        const isRead =
          isParsed(changed) || !thrownBy(() => parsePostback(changed)).message.includes("not JSON");

        expect(isRead).toBe(isJson(changed));
      }),
    );
  });
});
