import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProxy } from "../../node/support/proxy.ts";
import { httpResponse, respondWith, startRawTls } from "../../node/support/raw-server.ts";
import { type Reply, startServer, text } from "../../support/http-server.ts";
import { SELF_SIGNED } from "../../support/self-signed.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { inAProcess } from "./support/in-a-process.ts";

function trusted(): Record<string, string> {
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, SELF_SIGNED.cert);
  return { NODE_EXTRA_CA_CERTS: file };
}

test("a connection that is kept keeps no process alive", async () => {
  const { baseUrl } = await startServer(text(200, "here", { "keep-alive": "timeout=600" }));

  const ending = await inAProcess(baseUrl); // rejects where the process does not end

  expect(ending).toEqual({ left: true, text: "here" });
});

test("one that is used again does, until the answer is there", async () => {
  const late: Reply = (exchange) => setTimeout(() => text(200, "late")(exchange), 300);
  const { baseUrl, connections } = await startServer(text(200, "here"), late);

  const ending = await inAProcess(baseUrl, { TIMES: "2" });

  expect(ending).toEqual({ left: true, text: "late" });
  expect(connections()).toBe(1);
});

test("a tool that was loaded first and gives requests an agent of its own keeps no connection from the next", async () => {
  const { baseUrl, arrivals } = await startServer(text(200, "done"));
  const tool = fileURLToPath(new URL("support/own-agent.ts", import.meta.url));

  const ending = await inAProcess(baseUrl, {
    TIMES: "3",
    MAX_SOCKETS: "1",
    NODE_OPTIONS: `--import=${tool}`,
  });

  expect(ending).toEqual({ left: true, text: "done" });
  expect(arrivals).toHaveLength(3);
});

test("a tool that was loaded first and copies the headers of a request, as tracing does, finds them all", async () => {
  const { baseUrl, arrivals } = await startServer(text(200, "done"));
  const tool = fileURLToPath(new URL("support/copies-headers.ts", import.meta.url));

  const ending = await inAProcess(baseUrl, { NODE_OPTIONS: `--import=${tool}` });

  expect(ending).toEqual({ left: true, text: "done" });
  expect(arrivals.map(({ headers }) => headers)).toEqual([
    {
      host: new URL(baseUrl).host,
      authorization: "Basic key",
      "accept-encoding": "gzip, br, deflate",
      "user-agent": "node",
      "content-length": "2",
      traceparent: "00-1-2-01",
      connection: "keep-alive",
    },
  ]);
});

test("a private CA comes from NODE_EXTRA_CA_CERTS", async () => {
  const { baseUrl, received } = await startRawTls(respondWith(httpResponse("here")));

  const ending = await inAProcess(baseUrl, trusted());

  expect(ending).toEqual({ left: true, text: "here" });
  expect(received[0]).toContain("POST / HTTP/1.1");
});

test("a certificate for another name is not accepted, and nothing leaves", async () => {
  const { port, received } = await startRawTls(respondWith(httpResponse("here")));

  const ending = await inAProcess(`https://127.0.0.2:${port}`, trusted());

  expect(ending).toMatchObject({ left: false });
  expect(received.join("")).toBe("");
});

test("https goes through a proxy in a tunnel", async () => {
  const { baseUrl, port } = await startRawTls(respondWith(httpResponse("here")));
  const proxy = await startProxy();

  const ending = await inAProcess(baseUrl, {
    ...trusted(),
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: proxy.url,
    NO_PROXY: "",
  });

  expect(ending).toEqual({ left: true, text: "here" });
  expect(proxy.requests).toEqual([`CONNECT 127.0.0.1:${port}`]);
});

test.each([
  ["is used where Node was told to", "1", 1],
  ["is not used where Node was not told to", "0", 0],
])("a proxy in the variables %s", async (_what, told, times) => {
  const { baseUrl } = await startServer(text(200, "here"));
  const proxy = await startProxy();

  const ending = await inAProcess(baseUrl, { NODE_USE_ENV_PROXY: told, HTTP_PROXY: proxy.url, NO_PROXY: "" });

  expect(ending).toEqual({ left: true, text: "here" });
  expect(proxy.requests).toHaveLength(times);
});
