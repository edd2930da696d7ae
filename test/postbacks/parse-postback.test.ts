import { parsePostback } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";

/** The body that the specification shows. */
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

describe("a postback is read from whatever carries it", () => {
  test.each<[string, Parameters<typeof parsePostback>[0]]>([
    ["a text", TEXT],
    ["a text with spaces around it", `\r\n ${TEXT} \n`],
    ["a text with a byte order mark", `\uFEFF${TEXT}`],
    ["bytes", BYTES],
    ["a Buffer", Buffer.from(TEXT)],
    ["an ArrayBuffer", new Uint8Array(BYTES).buffer],
    ["a view of a part of a buffer", new Uint8Array([0x5b, ...BYTES, 0x5d]).subarray(1, -1)],
    ["a DataView", new DataView(new Uint8Array(BYTES).buffer)],
    ["bytes with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, ...BYTES])],
    ["what a framework has parsed", BODY],
    ["an object without a prototype", Object.assign(Object.create(null), BODY)],
  ])("%s", (_what, input) => {
    expect({ ...parsePostback(input) }).toEqual(READ);
  });

  test("a text with letters beyond ASCII is the same as bytes", () => {
    const text = JSON.stringify({ ...BODY, externalRef: "Ação 💳" });

    expect(parsePostback(text).externalRef).toBe("Ação 💳");
    expect(parsePostback(Buffer.from(text)).externalRef).toBe("Ação 💳");
  });
});

describe("id and amount are whole numbers, also as text", () => {
  test.each<[object, object]>([
    [{ id: "81001" }, { id: 81_001 }],
    [{ amount: "10000" }, { amount: 10_000 }],
    [{ amount: 0 }, { amount: 0 }],
    [{ id: 9_007_199_254_740_991 }, { id: 9_007_199_254_740_991 }],
    [{ id: "9007199254740991" }, { id: 9_007_199_254_740_991 }],
  ])("%j", (part, read) => {
    expect(parsePostback({ ...BODY, ...part })).toMatchObject(read);
    expect(parsePostback(JSON.stringify({ ...BODY, ...part }))).toMatchObject(read);
  });
});

describe("the reference and the date may be missing", () => {
  test.each<[string, object]>([
    ["nothing", { externalRef: undefined, transactionDate: undefined }],
    ["null", { externalRef: null, transactionDate: null }],
  ])("as %s", (_what, part) => {
    const postback = parsePostback(JSON.stringify({ ...BODY, ...part }));

    expect({ ...postback }).toEqual({
      id: 81_001,
      status: "approved",
      rawStatus: "approved",
      amount: 10_000,
    });
  });
});

describe("the status", () => {
  test.each([
    ["approved", "approved"],
    ["PAID", "approved"],
    ["canceled", "cancelled"],
    ["cancelled", "cancelled"],
    ["chargeback", "chargedback"],
    ["waiting_payment", "pending"],
    ["PENDING_3DS", "unrecognized"],
    ["transaction.approved", "unrecognized"], // an event name is no status
    ["__proto__", "unrecognized"],
    [" ", "unrecognized"],
  ])("%j is %s, and rawStatus keeps it", (rawStatus, status) => {
    expect(parsePostback({ ...BODY, status: rawStatus })).toMatchObject({ status, rawStatus });
  });
});

describe("the result", () => {
  test("is JSON, and keeps the body as raw out of its sight", () => {
    const postback = parsePostback(`{"extra":"canary",${TEXT.slice(1)}`);

    expect(postback.raw).toEqual({ ...BODY, extra: "canary" });
    expect(JSON.parse(JSON.stringify(postback))).toEqual(READ);
    expect({ ...postback }).not.toHaveProperty("raw");
  });

  test("takes nothing from a prototype that came as data, and changes none", () => {
    const text = `{"__proto__":{"polluted":1,"externalRef":"other"},"constructor":{"prototype":{"polluted":1}},${JSON.stringify(
      { id: 81_001, status: "approved", amount: 10_000 },
    ).slice(1)}`;

    const postback = parsePostback(text);

    expect({ ...postback }).toEqual({
      id: 81_001,
      status: "approved",
      rawStatus: "approved",
      amount: 10_000,
    });
    expect({}).not.toHaveProperty("polluted");
  });
});
