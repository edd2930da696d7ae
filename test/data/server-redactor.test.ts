import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ServerRedactor } from "../../src/data/server-redactor.ts";

const KEY = "sk_live_9Qz4vTn7Lw2XbR8c";
const PUBLIC_KEY = "pk_live_Hd6Yk3Ms0Fg5Ju1P";
const BASIC = btoa(`${KEY}:${PUBLIC_KEY}`);
const OTHER = "sk_live_anotherAccount42";

const hex = (text: string) => Buffer.from(text).toString("hex");
const each = (text: string, toForm: (code: number, char: string) => string) =>
  [...text].map((char) => toForm(char.charCodeAt(0), char)).join("");

/** How a service, a proxy or a logger may write a text, so that anyone can turn it back. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "percent-encoded": (text) => each(text, (code) => `%${code.toString(16)}`),
  "percent-encoded where others do": (text) => text.replaceAll("_", "%5F"),
  "percent-encoded twice": (text) => text.replaceAll("_", "%255f"),
  "escaped for JSON": (text) => each(text, (code) => `\\u${code.toString(16).padStart(4, "0")}`),
  "escaped for JSON in JSON": (text) => each(text, (code) => `\\\\u${code.toString(16).padStart(4, "0")}`),
  "escaped for JavaScript": (text) => each(text, (code) => `\\x${code.toString(16)}`),
  "in decimal entities": (text) => each(text, (code) => `&#${code};`),
  "in hexadecimal entities": (text) => each(text, (code) => `&#x${code.toString(16).toUpperCase()};`),
  "in entities twice": (text) => each(text, (code) => `&amp;#${code};`),
  "in named entities": (text) => text.replaceAll("_", "&lowbar;"),
  "in several of them": (text) =>
    each(text, (code, char) => [`%${code.toString(16)}`, `&#${code};`, char][code % 3] ?? ""),
  "in hex": hex,
  "in hex, upper case": (text) => hex(text).toUpperCase(),
  "in base64": btoa,
  "in base64url": (text) => Buffer.from(text).toString("base64url"),
  "in base64 of JSON": (text) => btoa(JSON.stringify({ k: text })),
  "in base64 after one byte more": (text) => btoa(JSON.stringify({ id: text })),
  "in base64 after two bytes more": (text) => btoa(JSON.stringify({ key: text })),
  "in base64 with %": (text) => encodeURIComponent(btoa(text)),
};

test.each(Object.entries(ENCODINGS))("a key and Basic credentials are redacted %s", (_name, encode) => {
  for (const secret of [KEY, BASIC]) {
    const encoded = encode(secret);

    const text = new ServerRedactor([KEY, PUBLIC_KEY, BASIC]).text(`bad "${encoded}" here`);

    expect(survivors(text, encoded)).toEqual([]);
    expect(text).toMatch(/^bad ".*" here$/s);
  }
});

/** Base64 of another account's key is recognized only if the key is at its beginning. */
const OF_ANY_ACCOUNT = Object.entries(ENCODINGS).filter(([name]) => !/of JSON$|bytes? more$/.test(name));

test.each(OF_ANY_ACCOUNT)("a key of another account is redacted %s", (_name, encode) => {
  for (const key of [OTHER, OTHER.replace("s", "p")]) {
    const encoded = encode(key);

    expect(new ServerRedactor([]).text(`bad "${encoded}" here`)).toBe('bad "[redacted]" here');
  }
});

test.each([
  ["hex with spaces", hex(OTHER).replaceAll(/..(?=.)/g, "$& ")],
  ["hex with colons", hex(OTHER).replaceAll(/..(?=.)/g, "$&:")],
  ["a bytea of PostgreSQL", `\\x${hex(OTHER)}`],
])("a key is redacted as %s", (_name, encoded) => {
  expect(survivors(new ServerRedactor([]).text(encoded), encoded)).toEqual([]);
});

test("no 12 characters of a key survive, wherever and however it is cut", () => {
  const secrets = fc.constantFrom(KEY, PUBLIC_KEY, BASIC);
  const cut = fc.tuple(fc.nat(30), fc.integer({ min: 12, max: 60 }));
  const encodings = fc.constantFrom(...Object.values(ENCODINGS));
  const around = fc.constantFrom("", " ", '"', "'", "<", "=", "/", "%20", "\\n", "&quot;", "x ", ": ");
  const redactor = new ServerRedactor([KEY, PUBLIC_KEY, BASIC]);
  fc.assert(
    fc.property(secrets, cut, encodings, around, (secret, [from, length], encode, edge) => {
      const piece = secret.slice(from, from + length);
      fc.pre(piece.length >= 12);
      const encoded = encode(piece);

      expect(survivors(redactor.text(`${edge}${encoded}${edge}`), encoded)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([18, 25, 36, 53])(
  "Basic credentials are redacted without the word, cut to %i characters",
  (end) => {
    expect(new ServerRedactor([]).text(`got ${BASIC.slice(0, end)}`)).toBe("got [redacted]");
  },
);

test.each([
  ["base64 with the mark inside", `data:image/png;base64,iVBORw0KGgoc2tfAAAAcGtfAAA${"Ab9/".repeat(400)}=`],
  ["a hash", "706b9f0c736b11e05f2a736b5e"],
  ["a word", "task_1, risk_level, c2tf and cGtf"],
  ["a postback's id in hex", "0a736b5f00"],
  ["an error of PostgreSQL", 'password authentication failed for user "shop"'],
  ["an error of Redis", "WRONGPASS invalid username-password pair or user is disabled."],
  ["a URL without a password", "https://pay.example:8443/shops/loja@2x.png"],
  ["an e-mail address", "mail ana@loja.example at 10:30"],
  ["JSON with a URL and an address", '{"secureUrl":"https://pay.example:8443/a","email":"ana@loja.example"}'],
])("%s is not redacted", (_what, text) => {
  expect(new ServerRedactor([KEY, PUBLIC_KEY, BASIC]).text(text)).toBe(text);
});

describe("the password of a database is redacted", () => {
  test.each([
    ["postgres://shop:p%40s3cr3t@db/pay", "postgres://[redacted]@db/pay"],
    ["postgres://shop:p/s3cr3t@db/pay", "postgres://[redacted]@db/pay"],
    ["postgres://shop:p#s3?c@r:3t@db/pay", "postgres://[redacted]@db/pay"],
    ["redis://default:p:w@cache redis://a:b@cache", "redis://[redacted]@cache redis://[redacted]@cache"],
    ["postgres%3A%2F%2Fshop%3As3cr3t%40db%2Fpay", "postgres%3A%2F%2F[redacted]%40db%2Fpay"],
    ['{"url":"postgres:\\/\\/shop:s3cr3t@db\\/pay"}', '{"url":"postgres:\\/\\/[redacted]@db\\/pay"}'],
    ["host=db password=s3cr3t dbname=pay", "host=db password=[redacted] dbname=pay"],
    ["host=db password = 's3 \\'cr3t' dbname=pay", "host=db password = '[redacted]' dbname=pay"],
    ["Password: s3cr3t", "Password: [redacted]"],
    ["postgres://db/pay?user=shop&password=s3%26cr3t", "postgres://db/pay?user=shop&password=[redacted]"],
    ["?sslpassword=s3cr3t", "?sslpassword=[redacted]"],
    ["%3Fpassword%3Ds3cr3t", "%3Fpassword%3D[redacted]"],
    ['{"user":"shop","password":"s3\\"cr3t","port":1}', '{"user":"shop","password":"[redacted]","port":1}'],
    ['"{\\"password\\":\\"s3cr3t\\"}"', '"{\\"password\\":\\"[redacted]\\"}"'],
    ["ALTER ROLE shop PASSWORD 's3''cr3t' LOGIN", "ALTER ROLE shop PASSWORD '[redacted]' LOGIN"],
    ["CREATE USER shop IDENTIFIED BY 's3cr3t';", "CREATE USER shop IDENTIFIED BY '[redacted]';"],
  ])("%s", (text, redacted) => {
    expect(new ServerRedactor([]).text(text)).toBe(redacted);
  });
});

test.each([
  ...["\\", "%25", "&#0", "//a:", "sk_", "73 6b 5f ", "Basic ", "pass", "password='", '"postBackUrl":"'],
  KEY.slice(3, 16),
])("a response of a million characters is redacted in little time: %j", (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const redactor = new ServerRedactor([KEY, PUBLIC_KEY, BASIC, "https://shop.example/?order=1", "ANA LIMA"]);
  const startedAt = performance.now();

  redactor.text(text);

  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

/** The runs of 12 characters of a secret that are still in a text. */
function survivors(text: string, secret: string): string[] {
  const runs = Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12));
  return runs.filter((run) => text.includes(run));
}
