import { inspect } from "node:util";
import { type NodeTransport, nodeTransport } from "payments-sdk/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { ALL, leaksIn, SECRET } from "../support/canaries.ts";
import { closedBaseUrl, resetAfterReading, stallInside, startServer } from "../support/http-server.ts";
import { answer, saying, startRaw } from "./support/raw-server.ts";

function transport(): NodeTransport {
  const made = nodeTransport();
  onTestFinished(() => made.close());
  return made;
}

describe("called as a fetch, it rejects", () => {
  test.each<[string, () => Promise<string>, object]>([
    ["nobody listens", closedBaseUrl, { code: "ECONNREFUSED", syscall: "connect" }],
    [
      "the connection breaks",
      async () => (await startServer(resetAfterReading)).baseUrl,
      { code: "ECONNRESET" },
    ],
    [
      "the status is none that a Response can have",
      async () => (await startRaw(saying(answer("", "", "999 Odd")))).baseUrl,
      {},
    ],
    ["the URL is none", async () => "nowhere", { message: "The URL of a request must be absolute." }],
  ])("with a TypeError where %s", async (_what, urlOf, cause) => {
    const error = await transport()(await urlOf()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "fetch failed", cause });
  });

  test("with the reason of its signal, before and in the middle of the body", async () => {
    const { baseUrl, arrivals } = await startServer(stallInside(200, "beginning"));
    const controller = new AbortController();

    const before = transport()(baseUrl, { signal: AbortSignal.abort("at once") });
    const later = transport()(baseUrl, { signal: controller.signal });

    await expect(before).rejects.toBe("at once");
    await expect.poll(() => arrivals.length).toBe(1);
    controller.abort("enough");
    await expect(later).rejects.toBe("enough");
  });
});

test("neither the transport nor its errors show what was sent", async () => {
  const { baseUrl } = await startServer(resetAfterReading);
  const send = transport();
  const headers = { authorization: SECRET };

  const error = await send(baseUrl, { method: "POST", headers, body: ALL.join() }).catch(
    (thrown: unknown) => thrown,
  );

  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn(send)).toEqual([]);
  expect(inspect(send)).toBe("[AsyncFunction: nodeTransport] { close: [Function: close] }");
});

test("an answer that repeats what was sent where HTTP does not allow it does not get it into an error", async () => {
  const { baseUrl } = await startRaw(saying(`HTTP/1.1 200 OK\r\nbad name: ${SECRET}\r\n\r\n${ALL.join()}`));

  const error = await transport()(baseUrl).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ cause: { code: expect.stringMatching(/^HPE_/) } });
  expect(leaksIn(error)).toEqual([]);
});
