import { describe, expect, test } from "vitest";
import { Redactor, redactData } from "../../src/data/redactor.ts";
import { ServerRedactor } from "../../src/data/server-redactor.ts";
import { formsOf } from "../support/canaries.ts";

describe("a secret is redacted", () => {
  test.each<[string, string, string]>([
    ["in plain text", "before s3cret/+= after", "before [redacted] after"],
    ["more than once", "s3cret/+= s3cret/+=", "[redacted] [redacted]"],
    ["inside a word", "xs3cret/+=x", "x[redacted]x"],
    ["percent-encoded twice", "s3cret%252F%252B%253D", "[redacted]"],
    ["escaped for JSON inside JSON", "s3cret\\\\u002f\\\\u002B\\\\u003d", "[redacted]"],
    ["escaped for HTML", "s3cret&#47;&#x2B;&equals;", "[redacted]"],
    ["with each character encoded differently", "s3cret%2F\\u002b&#61;", "[redacted]"],
  ])("%s", (_how, text, redacted) => {
    expect(new Redactor(["s3cret/+="]).text(text)).toBe(redacted);
  });

  test("with a letter that is ASCII in lower case only", () => {
    const text = "\\u0130BRAH\\u0130M %C4%B0BRAH%C4%B0M &#304;BRAH&#304;M";

    expect(new Redactor(["İBRAHİM"]).text(text)).toBe("[redacted] [redacted] [redacted]");
  });

  test("as a whole, if another secret is a part of it", () => {
    const [part, whole] = ["https://shop.example/hook", "https://shop.example/hook?sig=6f1ed002ab55"];

    expect(new Redactor([part, undefined, whole]).text(whole)).toBe("[redacted]");
  });

  test.each(["ab%2Fc%5c", "x &amp; y<z>", String.raw`C:\u0041\n"'`, "ç ã~日🙂+=?"])(
    "in every form, even if it has escapes of its own: %s",
    (secret) => {
      const shown = formsOf(secret).map((form) => new Redactor([secret]).text(`<${form}>`));

      expect(new Set(shown)).toEqual(new Set(["<[redacted]>"]));
    },
  );
});

test.each([
  ["many characters", "a".repeat(60_000)],
  ["many non-ASCII characters", "é日🙂".repeat(5_000)],
  ["one character more than a part", `${"x".repeat(199)}🙂y`],
])("a secret that is too long for one regular expression is redacted: %s", (_what, secret) => {
  const text = `<${secret}> <${encodeURIComponent(secret)}>`;

  expect(new Redactor([secret]).text(text).replaceAll(/(\[redacted\])+/g, "[redacted]")).toBe(
    "<[redacted]> <[redacted]>",
  );
});

test.each(["\\", "%25", "/"])(
  "a long text of %j is redacted in little time, even with such secrets",
  (unit) => {
    const redactor = new Redactor([`${"\\".repeat(60)}x${'\\"'.repeat(30)}`, "//%% &&secret", "\\\\", 'a"b']);
    const startedAt = performance.now();

    redactor.text(unit.repeat(200_000 / unit.length));

    expect(performance.now() - startedAt).toBeLessThan(5_000);
  },
);

describe("texts that look like a secret are redacted without being known", () => {
  test.each([
    ["a secret key", "key sk_live_a-b.c is wrong", "key [redacted] is wrong"],
    ["a public key", "pk_test_1", "[redacted]"],
    ["a JWT", "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1 end", "token [redacted] end"],
    ["Basic credentials", "authorization: Basic c2tfdGVzdA== end", "authorization: [redacted] end"],
    ["a postback URL", '{"postBackUrl":"https://a/?s=1","id":7}', '{"postBackUrl":"[redacted]","id":7}'],
    [
      "also in another field",
      '{"postback_url": "https://a/\\"x", "b":7}',
      '{"postback_url": "[redacted]", "b":7}',
    ],
    [
      "the URL of a webhook",
      '{"webhook":{"url":"https://a/?s=1","b":[]}}',
      '{"webhook":{"url":"[redacted]","b":[]}}',
    ],
    ["but not part of a word", "task_1 and apk_2", "task_1 and apk_2"],
    ["nor a plain word", "Basic rules", "Basic rules"],
    ["nor another URL", '{"secureUrl":"https://a/?s=1"}', '{"secureUrl":"https://a/?s=1"}'],
  ])("%s", (_what, text, redacted) => {
    expect(new ServerRedactor([]).text(text)).toBe(redacted);
  });
});

test.each([
  ["4111111111111111", "card 4111 1111 1111 1111!", "card [redacted]!"],
  ["4111111111111111", "4111-1111-1111-1111", "[redacted]"],
  ["4111111111111111", "4111.1111/1111_1111", "[redacted]"],
  ["4111111111111111", "4111\u00a01111&nbsp;1111%201111", "[redacted]"],
  ["4539148803436467", "45391488034364670", "45391488034364670"],
  ["831", "cvv 831.", "cvv [redacted]."],
  ["831", "18312", "18312"],
  ["831", "831 is wrong, see case 18315", "[redacted] is wrong, see case 18315"],
  ["ANA", "of ANA and ana, not of BANANA", "of [redacted] and [redacted], not of BANANA"],
  ["Zé X", "of Zé X or Z\\u00e9 X", "of [redacted] or [redacted]"],
  ["  ", "plain  text", "plain  text"], // not a secret
])(
  "a number is redacted in any grouping, and not inside another number, and a short text as a word: %s in %s",
  (secret, text, redacted) => {
    expect(new Redactor([secret]).text(text)).toBe(redacted);
  },
);

test("data is redacted at every level, including names, in a copy", () => {
  const data = { a: ["s3cret", { s3cret: 1, b: null }], postBackUrl: "https://a", postbackUrl: null };

  const redacted = redactData(new Redactor(["s3cret"]), data);

  const a = ["[redacted]", { "[redacted]": 1, b: null }];
  expect(redacted).toEqual({ a, postBackUrl: "[redacted]", postbackUrl: null });
  expect(data.a[0]).toBe("s3cret");
});
