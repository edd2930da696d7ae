import { describe, expect, test, vi } from "vitest";
import { DirectlyReadAnswer } from "../../src/core/direct-answer.ts";
import { startServer } from "../support/http-server.ts";
import { aPix } from "../support/merchant.ts";
import { aStatus, created } from "../support/service-answers.ts";
import { NODE_TRANSPORT, TRANSPORTS, type Transport } from "../support/transports.ts";
import { answer, saying, startRaw } from "../transport/support/raw-server.ts";

/** What came with a status report, over the headers of which the test decides byte by byte. */
async function responseWith({ merchantAt }: Transport, ...headers: readonly string[]) {
  const lines = headers.map((line) => `${line}\r\n`).join("");
  const { baseUrl } = await startRaw(saying(answer(JSON.stringify(aStatus()), lines)));
  const { response } = await merchantAt(baseUrl).payments.status.retrieve().withResponse();
  return response;
}

describe.each(TRANSPORTS)("over $name", (transport) => {
  test.each([
    ["a name in capitals", ["X-Region: gru"], "x-region", "gru"],
    ["blanks before a value", ["x-region:  \tgru"], "x-region", "gru"],
    ["no value", ["x-region:"], "x-region", ""],
    ["a name that comes twice", ["via: a", "x-other: 1", "Via: b"], "via", "a, b"],
    ["a name that objects have", ["__proto__: 1", "constructor: 2"], "constructor", "2"],
    ["a comma in a value", ["x-list: a, b,c"], "x-list", "a, b,c"],
    [
      "bytes beyond ASCII, each of which is a letter",
      ["x-city: S\u00e3o \u00ff"],
      "x-city",
      "S\u00e3o \u00ff",
    ],
    ["none of that name", ["x-region: gru"], "x-city", null],
  ])("a header comes through: %s", async (_what, sent, name, value) => {
    const { headers } = await responseWith(transport, ...sent);

    expect(headers.get(name)).toBe(value);
  });

  test("each cookie stands for itself, though all have one name", async () => {
    const { headers } = await responseWith(
      transport,
      "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "set-cookie: b=2",
    );

    expect(headers.getSetCookie()).toEqual(["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"]);
  });

  test("there are as many as came", async () => {
    const names = Array.from({ length: 2_100 }, (_, index) => (1_296 + index).toString(36)); // 2,000 are Node's own limit

    const { headers } = await responseWith(transport, ...names.map((name) => `${name}:`));

    expect(names.filter((name) => !headers.has(name))).toEqual([]);
  });

  test.each([["X-Request-Id"], ["request-id"], ["X-Correlation-ID"], ["CF-RAY"]])(
    "a request is named by the header %s",
    async (name) => {
      const { requestId } = await responseWith(transport, `${name}: req-1`);

      expect(requestId).toBe("req-1");
    },
  );

  test.each([
    [["cf-ray: d", "x-correlation-id: c", "request-id: b", "x-request-id: a"], "a"],
    [["cf-ray: d", "x-correlation-id: c", "request-id: b"], "b"],
    [["cf-ray: d", "x-correlation-id: c"], "c"],
    [["x-request-id: a", "X-Request-Id: b"], "a, b"],
    [["x-requestid: a", "x-request: b"], undefined],
  ])("of several names of a request the likeliest counts: %j gives %s", async (sent, expected) => {
    const { requestId } = await responseWith(transport, ...sent);

    expect(requestId).toBe(expected);
  });
});

describe("over nodeTransport headers become an object only where somebody looks at them", () => {
  /** How many have been made since. */
  function countHeaders(): () => number {
    let made = 0;
    vi.stubGlobal(
      "Headers",
      class extends Headers {
        constructor(init?: HeadersInit) {
          super(init);
          made += 1;
        }
      },
    );
    return () => made;
  }

  test("a create that nobody asks for its response makes none", async () => {
    const { baseUrl } = await startServer(created());
    const { payments, events } = NODE_TRANSPORT.merchantAt(baseUrl);
    const made = countHeaders();

    await payments.transactions.createPix(aPix());

    expect(made()).toBe(0);
    expect(events.map(({ type }) => type)).toEqual(["request", "response"]);
  });

  test("a response that is asked for makes one, however often it is looked at", async () => {
    const { baseUrl } = await startServer(created());
    const { payments } = NODE_TRANSPORT.merchantAt(baseUrl);
    const made = countHeaders();

    const call = payments.transactions.createPix(aPix());
    const [first, second] = await Promise.all([call.withResponse(), call.withResponse()]);

    expect(first.response.headers).toBe(second.response.headers);
    expect(first.response.headers.get("content-type")).toBe("application/json");
    expect(made()).toBe(1);
  });

  test.each([
    ["a name that is none", "bad name", "1"],
    ["a value beyond Latin-1", "x-city", "São Paulo \u{1f307}"],
    ["a value with a line break", "x-city", "a\nb"],
  ])("a header that HTTP does not allow is left out, and the others are kept: %s", (_what, name, value) => {
    // As a tool for tests may give it: the parser of Node lets none through.
    const rawHeaders = ["x-before", "1", name, value, "x-after", "2"];

    const { headers } = new DirectlyReadAnswer({
      status: 200,
      rawHeaders,
      text: "",
      cut: false,
      closeConnection: () => undefined,
    });

    expect([...headers]).toEqual([
      ["x-after", "2"],
      ["x-before", "1"],
    ]);
  });
});
