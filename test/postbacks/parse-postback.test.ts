import { inspect } from "node:util";
import { InvalidPostbackError, parsePostback } from "payments-sdk/postbacks";
import { expect, test } from "vitest";
import { thrownBy } from "../support/merchant.ts";

/** The example of the specification. */
const BODY = {
  id: 81_001,
  status: "approved",
  externalRef: "pedido-77",
  amount: 10_000,
  transactionDate: "2026-03-01T12:31:00.000Z",
};
const TEXT = JSON.stringify(BODY);
const BYTES = new TextEncoder().encode(TEXT);
const READ = { ...BODY, rawStatus: "approved" };

const UNREADABLE = Object.defineProperty({ ...BODY }, "id", { get: () => JSON.parse("{") });

const WHOLE = "must be a whole number of at most 2^53 - 1";

function refusalOf(input: unknown): InvalidPostbackError {
  const error = thrownBy(() => parsePostback(input as string));
  expect(error).toBeInstanceOf(InvalidPostbackError);
  return error as InvalidPostbackError;
}

const issuesOf = (input: unknown) => refusalOf(input).issues;

test.each<[string, Parameters<typeof parsePostback>[0]]>([
  ["text", TEXT],
  ["text with a byte order mark and spaces", `\uFEFF\r\n ${TEXT} \n`],
  ["a Buffer", Buffer.from(TEXT)],
  ["a view of part of a buffer", new Uint8Array([0x5b, ...BYTES, 0x5d]).subarray(1, -1)],
  ["bytes with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...BYTES])],
  ["an object that a framework has parsed", BODY],
  ["an object without a prototype", Object.assign(Object.create(null), BODY)],
])("a postback is parsed from: %s", (_what, input) => {
  expect({ ...parsePostback(input) }).toEqual(READ);
});

test.each<[object, object]>([
  [{ id: "81001" }, { id: 81_001 }],
  [{ amount: "10000" }, { amount: 10_000 }],
  [{ amount: 0 }, { amount: 0 }],
  [{ amount: "007" }, { amount: 7 }],
])("id and amount are whole numbers, or text with whole numbers: %j", (part, read) => {
  expect(parsePostback({ ...BODY, ...part })).toMatchObject(read);
  expect(parsePostback(JSON.stringify({ ...BODY, ...part }))).toMatchObject(read);
});

test.each([[undefined], [null]])("the reference and the date are optional: %j", (missing) => {
  const { externalRef: _reference, transactionDate: _date, ...rest } = READ;

  const postback = parsePostback(JSON.stringify({ ...BODY, externalRef: missing, transactionDate: missing }));

  expect({ ...postback }).toEqual(rest);
});

test.each([
  ["PAID", "approved"],
  ["canceled", "cancelled"],
  ["chargeback", "chargedback"],
  ["PENDING_3DS", "unrecognized"],
  ["transaction.approved", "unrecognized"], // the name of an event is not a status
  ["__proto__", "unrecognized"],
])("the status %j is read as %s, and is kept as rawStatus", (rawStatus, status) => {
  expect(parsePostback({ ...BODY, status: rawStatus })).toMatchObject({ status, rawStatus });
});

test("the JSON of a postback does not contain its body, which is available as raw", () => {
  const postback = parsePostback(`{"extra":"canary",${TEXT.slice(1)}`);

  expect(postback.raw).toEqual({ ...BODY, extra: "canary" });
  expect(JSON.parse(JSON.stringify(postback))).toEqual(READ);
  expect({ ...postback }).not.toHaveProperty("raw");
});

test("a prototype in the body changes neither the postback nor any other object", () => {
  const { externalRef: _reference, ...body } = BODY;
  const text = `{"__proto__":{"polluted":1,"externalRef":"other"},"constructor":{"prototype":{"polluted":1}},${JSON.stringify(body).slice(1)}`;

  const postback = parsePostback(text);

  expect({ ...postback }).toEqual({ ...body, rawStatus: "approved" });
  expect({}).not.toHaveProperty("polluted");
});

test.each<[string, unknown, string]>([
  ["an HTML page", "<html><body>hello</body></html>", "the body is not JSON"],
  ["spaces", " \r\n", "the body is empty"],
  ["no bytes", new Uint8Array(), "the body is empty"],
  ["bytes that are not text", new Uint8Array([0xff, 0xfe, 0x00]), "the body is not JSON"],
  ["an array", JSON.stringify([BODY]), "must be a JSON object"],
  ["nothing, from a framework", undefined, "the body must be text, bytes or an object, but is missing"],
  ["an array, from a framework", [BODY], "the body must be text, bytes or an object, but is an array"],
  ["an object with a getter that throws", UNREADABLE, "the body could not be read"],
  ["a function", () => BODY, "the body must be text, bytes or an object, but is a function"],
])("a body that is not a JSON object is refused: %s", (_what, input, message) => {
  expect(issuesOf(input)).toEqual([{ field: "", message }]);
});

test.each<[object, string, string]>([
  [{ id: undefined }, "id", "is required"],
  [{ id: "tra_81001" }, "id", WHOLE],
  [{ id: 0 }, "id", "must be above zero"],
  [{ id: 2 ** 53 }, "id", WHOLE], // rounded by a framework
  [{ status: undefined }, "status", "is required"],
  [{ status: "" }, "status", "must not be empty"],
  [{ status: "x".repeat(256) }, "status", "must have at most 255 characters"],
  [{ status: "approved\0" }, "status", "must not contain a NUL character"],
  [{ status: "approved\ud800" }, "status", "must not contain half of a surrogate pair"],
  [{ amount: "100.00" }, "amount", WHOLE], // probably reais
  [{ amount: -1 }, "amount", "must not be negative"],
  [{ amount: "" }, "amount", WHOLE],
  [{ amount: 19.9 }, "amount", WHOLE],
  [{ externalRef: 7 }, "externalRef", "must be a string"],
  [{ externalRef: "x".repeat(1_001) }, "externalRef", "must have at most 1000 characters"],
  [{ transactionDate: 1_772_366_460 }, "transactionDate", "must be a string"],
  [{ transactionDate: "x".repeat(256) }, "transactionDate", "must have at most 255 characters"],
])("an invalid field is refused: %j", (part, field, message) => {
  expect(issuesOf({ ...BODY, ...part })).toEqual([{ field, message }]);
  expect(issuesOf(JSON.stringify({ ...BODY, ...part }))).toEqual([{ field, message }]);
});

// JSON.parse rounds the second one to the first.
test.each(["9007199254740992", "9007199254740993", '"9007199254740992"'])(
  "an id beyond 2^53 - 1 is refused, not rounded: %s",
  (id) => {
    const issues = [{ field: "id", message: WHOLE }];
    expect(issuesOf(`{"id":${id},"status":"approved","amount":1}`)).toEqual(issues);
  },
);

test.each<[object, string[]]>([
  ...["data", "transaction", "object"].map((name): [object, string[]] => {
    return [{ ...BODY, id: 5, [name]: BODY }, [""]]; // the id may be that of the envelope
  }),
  [{ id: "dlv_1", event: "transaction.approved", data: BODY }, ["id", "status", "amount"]],
  [{ id: 5, type: "transaction", data: BODY }, ["status", "amount"]],
  [{}, ["id", "status", "amount"]],
  [{ success: true, status: 201, data: BODY }, ["id", "status", "amount"]], // the response to creating a transaction
])("an envelope is refused, with all invalid fields: %j", (body, fields) => {
  expect(issuesOf(body).map(({ field }) => field)).toEqual(fields);
});

test("the error has the input as raw, and never prints a secret or personal data in it", () => {
  const fields = ["id", "status", "amount", "externalRef", "transactionDate", "customer", "secretKey"];
  const input = Object.fromEntries(fields.map((name) => [name, ["canary"]]));

  for (const raw of [input, JSON.stringify(input)]) {
    const error = refusalOf(raw);

    expect(error.raw).toBe(raw);
    const shown = [
      inspect(error, { getters: true, depth: 9 }),
      JSON.stringify(error),
      `${error.stack}${error}`,
    ];
    expect(shown.join()).not.toContain("canary");
  }
});
