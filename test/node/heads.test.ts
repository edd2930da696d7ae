import { describe, expect, test } from "vitest";
import { answerOf, endingOf } from "./support/direct.ts";
import { answer, saying, sayingAndEnding, startRaw } from "./support/raw-server.ts";

describe("a head is read as it came", () => {
  test.each([
    ["100", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["103", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
  ])("%s goes by, and the answer after it counts", async (_status, before) => {
    const { baseUrl } = await startRaw(saying(before, answer("{}", "", "201 Created")));

    const { answer: got, heard } = await endingOf(baseUrl);

    expect(got).toMatchObject({ status: 201, text: "{}" });
    expect(heard).toBe(true);
  });

  test.each([
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", 204, "POST"],
    ["304, whatever length it tells", "HTTP/1.1 304 Not Modified\r\ncontent-length: 99\r\n\r\n", 304, "POST"],
    [
      "an answer to HEAD, whatever length it tells",
      "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n",
      200,
      "HEAD",
    ],
    ["a packed one that is empty", answer("", "content-encoding: gzip\r\n"), 200, "POST"],
  ])("%s has no body", async (_what, said, status, method) => {
    const { baseUrl } = await startRaw(saying(said));

    const got = await answerOf(baseUrl, { method });

    expect(got).toMatchObject({ status, text: "", cut: false });
  });

  test.each([
    ["a status above 599", answer("{}", "", "999 Odd"), 999],
    ["a status without a reason", answer("{}", "", "200"), 200],
    ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n{}", 200],
  ])("%s is one", async (_what, said, status) => {
    const { baseUrl } = await startRaw(sayingAndEnding(said));

    const got = await answerOf(baseUrl);

    expect(got).toMatchObject({ status, text: "{}" });
  });
});

describe("what is no head of an answer breaks the call off", () => {
  test.each<[string, string | Buffer, string | RegExp]>([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n", /^HPE_/],
    ["a header name that cannot be", answer("{}", "x name: 1\r\n"), /^HPE_/],
    ["two lengths", answer("{}", "content-length: 3\r\n"), /^HPE_/],
    ["headers beyond 16 kB", answer("{}", `x-name: ${"x".repeat(20_000)}\r\n`), "HPE_HEADER_OVERFLOW"],
    [
      "an upgrade that nobody asked for",
      "HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      "ECONNRESET",
    ],
    ["nothing", "", "ECONNRESET"],
  ])("%s", async (_what, said, code) => {
    const { baseUrl, open } = await startRaw(sayingAndEnding(said));

    const ending = await endingOf(baseUrl);

    expect(ending).toMatchObject({ left: true, answer: undefined });
    expect(ending.error).toMatchObject({
      code: typeof code === "string" ? code : expect.stringMatching(code),
    });
    await expect.poll(open).toBe(0);
  });
});
