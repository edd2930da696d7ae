import { describe, expect, test } from "vitest";
import { toHeaders } from "../../src/node/node-transport.ts";
import { httpResponse, respondWith, startRaw } from "../node/support/raw-server.ts";
import { aStatus } from "../support/service-responses.ts";
import { TRANSPORTS, type Transport } from "../support/transports.ts";

/** The response of a status report whose headers the test writes byte by byte. */
async function responseWith({ merchantAt }: Transport, ...headers: readonly string[]) {
  const lines = headers.map((line) => `${line}\r\n`).join("");
  const { baseUrl } = await startRaw(respondWith(httpResponse(JSON.stringify(aStatus()), lines)));
  const { response } = await merchantAt(baseUrl).payments.status.retrieve().withResponse();
  return response;
}

describe.each(TRANSPORTS)("over $name", (transport) => {
  test.each([
    ["an upper-case name", ["X-Region: gru"], "x-region", "gru"],
    ["no value", ["x-region:"], "x-region", ""],
    ["a repeated name", ["via: a", "x-other: 1", "Via: b"], "via", "a, b"],
    ["the name of an object's own property", ["__proto__: 1", "constructor: 2"], "constructor", "2"],
    ["bytes beyond ASCII, one character each", ["x-city: S\u00e3o \u00ff"], "x-city", "S\u00e3o \u00ff"],
    ["another name only", ["x-region: gru"], "x-city", null],
  ])("a response header is read: %s", async (_what, sent, name, value) => {
    const { headers } = await responseWith(transport, ...sent);

    expect(headers.get(name)).toBe(value);
  });

  test("cookies are read as separate values", async () => {
    const { headers } = await responseWith(
      transport,
      "Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "set-cookie: b=2",
    );

    expect(headers.getSetCookie()).toEqual(["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"]);
  });

  test("more than 2,000 headers are read", async () => {
    const names = Array.from({ length: 2_100 }, (_, index) => (1_296 + index).toString(36)); // 2,000 are Node's own limit

    const { headers } = await responseWith(transport, ...names.map((name) => `${name}:`));

    expect(names.filter((name) => !headers.has(name))).toEqual([]);
  });

  test.each([
    [["cf-ray: d", "x-correlation-id: c", "request-id: b", "x-request-id: a"], "a"],
    [["cf-ray: d", "x-correlation-id: c", "request-id: b"], "b"],
    [["CF-RAY: d", "X-Correlation-ID: c"], "c"],
    [["cf-ray: d"], "d"],
    [["x-request-id: a", "X-Request-Id: b"], "a, b"],
    [["x-requestid: a", "x-request: b"], undefined],
  ])("the request id is read from the first known header: of %j it is %s", async (sent, expected) => {
    const { requestId } = await responseWith(transport, ...sent);

    expect(requestId).toBe(expected);
  });
});

test("headers that HTTP does not allow, as test tools may return them, are ignored, and the others are kept", () => {
  const invalid = ["bad name", "1", "x-city", "São Paulo \u{1f307}", "x-city", "a\nb"];

  expect([...toHeaders([...invalid, "x-after", "2"])]).toEqual([["x-after", "2"]]);
});
