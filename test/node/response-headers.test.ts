import { describe, expect, test } from "vitest";
import { responseFrom, trySend } from "./support/direct-send.ts";
import { httpResponse, respondAndEnd, respondWith, startRaw } from "./support/raw-server.ts";

describe("the headers of a response are read as received", () => {
  test.each([
    ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["103", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
  ])("%s is skipped, and the response after it is returned", async (_status, informational) => {
    const { baseUrl } = await startRaw(respondWith(informational, httpResponse("{}", "", "201 Created")));

    const { response, headersReceived } = await trySend(baseUrl);

    expect(response).toMatchObject({ status: 201, text: "{}" });
    expect(headersReceived).toBe(true);
  });

  test.each([
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", 204, "POST"],
    ["304 with any content-length", "HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n", 304, "POST"],
    [
      "a response to HEAD with any content-length",
      "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n",
      200,
      "HEAD",
    ],
    ["an empty body with a content-encoding", httpResponse("", "content-encoding: gzip\r\n"), 200, "POST"],
  ])("%s has no body", async (_what, response, status, method) => {
    const { baseUrl } = await startRaw(respondWith(response));

    const result = await responseFrom(baseUrl, { method });

    expect(result).toMatchObject({ status, text: "", isTruncated: false });
  });

  test.each([
    ["a status above 599", httpResponse("{}", "", "999 Odd"), 999],
    ["a status without a reason", httpResponse("{}", "", "200"), 200],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n{}", 200],
  ])("%s is accepted", async (_what, response, status) => {
    const { baseUrl } = await startRaw(respondAndEnd(response));

    const result = await responseFrom(baseUrl);

    expect(result).toMatchObject({ status, text: "{}" });
  });
});

describe("an invalid response fails the call", () => {
  test.each<[string, string | Buffer, string | RegExp]>([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", /^HPE_/],
    ["an invalid header name", httpResponse("{}", "x name: 1\r\n"), /^HPE_/],
    ["two different lengths", httpResponse("{}", "content-length: 3\r\n"), /^HPE_/],
    ["headers beyond 16 kB", httpResponse("{}", `x-name: ${"x".repeat(20_000)}\r\n`), "HPE_HEADER_OVERFLOW"],
    ["an unsolicited upgrade", "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "ECONNRESET"],
    ["an empty response", "", "ECONNRESET"],
  ])("%s", async (_what, response, code) => {
    const { baseUrl, open } = await startRaw(respondAndEnd(response));

    const result = await trySend(baseUrl);

    expect(result).toMatchObject({ isSent: true, response: undefined });
    expect(result.error).toMatchObject({
      code: typeof code === "string" ? code : expect.stringMatching(code),
    });
    await expect.poll(open).toBe(0);
  });
});
