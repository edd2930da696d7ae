import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { httpResponse, respondWith, startRawTls } from "../node/support/raw-server.ts";
import { type Reply, SELF_SIGNED, startServer, text } from "../support/http-server.ts";
import { tool } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fileOf = (script: string) => join(import.meta.dirname, `support/${script}.ts`);

/** Code that a process runs before its program, as a tool does. */
const preload = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`;

/** Changes the options of every request. */
const changing = (options: string) =>
  preload(`import http from "node:http";
    const { request } = http;
    http.request = (options) => request({ ...options, ${options} });`);

/** Sends requests from a new process with these environment variables. Rejects if the process does not end. */
async function sendFromProcess(
  url: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const options = { env: { ...process.env, ...variables }, timeout: 30_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [fileOf("sends-requests"), url], options);
  return JSON.parse(stdout);
}

test("an idle connection does not keep the process alive", async () => {
  const { baseUrl } = await startServer(text(200, "here", { "keep-alive": "timeout=600" }));

  const result = await sendFromProcess(baseUrl); // rejects if the process does not end

  expect(result).toEqual({ isSent: true, text: "here" });
});

test("a connection that is used again does, until the response arrives", async () => {
  const late: Reply = (exchange) => setTimeout(() => text(200, "late")(exchange), 300);
  const { baseUrl, connections } = await startServer(text(200, "here"), late);

  const result = await sendFromProcess(baseUrl, { TIMES: "2" });

  expect(result).toEqual({ isSent: true, text: "late" });
  expect(connections()).toBe(1);
});

test("a preloaded tool that sets another agent on requests does not block connections for the next request", async () => {
  const { baseUrl, arrivals } = await startServer(text(200, "done"));

  const result = await sendFromProcess(baseUrl, {
    TIMES: "3",
    MAX_SOCKETS: "1",
    NODE_OPTIONS: changing("agent: new http.Agent()"),
  });

  expect(result).toEqual({ isSent: true, text: "done" });
  expect(arrivals).toHaveLength(3);
});

test("a preloaded tool that copies the headers of a request, as tracing does, gets them all", async () => {
  const { baseUrl, arrivals } = await startServer(text(200, "done"));

  const headers = 'headers: Object.assign({}, options.headers, { traceparent: "00-1-2-01" })';
  const result = await sendFromProcess(baseUrl, { NODE_OPTIONS: changing(headers) });

  expect(result).toEqual({ isSent: true, text: "done" });
  expect(arrivals[0]?.headers).toMatchObject({
    ...{ host: new URL(baseUrl).host, authorization: "Basic key", "content-length": "2" },
    ...{ "accept-encoding": "gzip, br, deflate", traceparent: "00-1-2-01" },
  });
});

test("a private CA is read from NODE_EXTRA_CA_CERTS, and its certificate for another name is rejected", async () => {
  const { baseUrl, port, received } = await startRawTls(respondWith(httpResponse("here")));
  const file = join(temporaryFolder(), "ca.pem");
  writeFileSync(file, SELF_SIGNED.cert);
  const otherName = `https://0.0.0.0:${port}`; // reaches the same server; the certificate is for 127.0.0.1

  const rejected = await sendFromProcess(otherName, { NODE_EXTRA_CA_CERTS: file });
  const receivedBefore = received.join("");
  const sent = await sendFromProcess(baseUrl, { NODE_EXTRA_CA_CERTS: file });

  expect(rejected).toMatchObject({ isSent: false, code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  expect(receivedBefore).toBe("");
  expect(sent).toEqual({ isSent: true, text: "here" });
});

test.each<[string, Record<string, string>]>([
  ["NODE_USE_ENV_PROXY", { NODE_USE_ENV_PROXY: "1" }],
  ["--use-env-proxy", { NODE_OPTIONS: "--use-env-proxy" }],
])("a proxy of the environment is not bypassed if Node is configured with %s", async (_what, variables) => {
  const { baseUrl, arrivals } = await startServer(text(200, "here"));
  const proxy = { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: "" };

  const results = [
    await sendFromProcess(baseUrl, { ...proxy, ...variables }),
    await sendFromProcess(baseUrl, proxy),
  ];

  expect(results).toMatchObject([
    { isSent: false, problem: expect.stringContaining("proxies") },
    { text: "here" },
  ]);
  expect(arrivals).toHaveLength(1);
});

/** To a package that is loaded later, its fetch looks like the platform's. */
test("a create call with a fetch that was replaced before the package was loaded is unknown, never not_sent", async () => {
  const { baseUrl, arrivals } = await startServer(async ({ request, response, requestRead }) => {
    await requestRead;
    const { server } = request.socket as unknown as { server: import("node:http").Server };
    server.close();
    response.writeHead(421, { connection: "close" }).end();
  });

  const repeats = preload(`const original = fetch;
    globalThis.fetch = (url, init) => original(url, init).catch(() => original(url, init));`);
  const { stdout } = await tool(process.execPath, [repeats, fileOf("prints-outcome"), baseUrl]);

  expect(stdout.trim()).toBe("unknown");
  expect(arrivals.length).toBeGreaterThan(0);
});
