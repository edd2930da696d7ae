import http, { globalAgent } from "node:http";
import { ConfigurationError } from "payments-sdk";
import { expect, onTestFinished, test } from "vitest";
import { findProxyProblem } from "../../src/node/node-transport.ts";
import { startServer, text } from "../support/http-server.ts";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { createTransport } from "./support/direct-send.ts";

const PROXY = "http://user:p4ssword@127.0.0.1:1";

/**
 * Until the test ends, Node uses the proxies in these variables, as if started with `NODE_USE_ENV_PROXY=1`.
 *
 * Not for loja.example: sandboxes of earlier tests in this process may still send postbacks there with `fetch`.
 */
function useProxies({ no_proxy = "", ...variables }: Readonly<Record<string, string>>): void {
  onTestFinished(http.setGlobalProxyFromEnv({ no_proxy: `loja.example,${no_proxy}`, ...variables }));
}

test("a proxy of the environment is never bypassed: calls fail, nothing is sent, and the error has no password", async () => {
  const { baseUrl, connections } = await startServer(created());
  useProxies({ http_proxy: PROXY });
  const fetch = createTransport();
  const { payments } = merchantAt(baseUrl, { fetch });

  const errors = [
    await failureOf(payments.transactions.createPix(aPix())),
    await failureOf(payments.status.retrieve()),
    await failureOf(fetch(baseUrl)),
  ];

  for (const error of errors) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("Use the platform's `fetch`");
    expect(error.message).not.toContain("p4ssword");
  }
  expect(errors[0]).toMatchObject({ outcome: "not_sent", mayHaveCharged: false });
  expect(connections()).toBe(0);
});

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ["http://pay.example", { http_proxy: PROXY }, true],
  ["http://pay.example", { HTTP_PROXY: PROXY }, true],
  ["https://pay.example", { http_proxy: PROXY }, false],
  ["https://pay.example", { https_proxy: PROXY }, true],
  ["https://pay.example", { https_proxy: PROXY, no_proxy: "*" }, false],
  ["https://PAY.example", { https_proxy: PROXY, no_proxy: "a.example, Pay.Example" }, false],
  ["https://pay.example", { https_proxy: PROXY, no_proxy: "pay.example:8443" }, true],
  ["https://pay.example", { https_proxy: PROXY, no_proxy: "example" }, true], // not a domain: `.example` is
  ["https://pay.example", { https_proxy: PROXY, no_proxy: ".example" }, false],
  ["https://pay.example", { https_proxy: PROXY, no_proxy: ".pay.example" }, false],
  ["https://pay.example", { https_proxy: PROXY, no_proxy: "*.pay.example" }, true],
  ["https://notpay.example", { https_proxy: PROXY, no_proxy: ".pay.example" }, true],
  ["https://[::1]", { https_proxy: PROXY, no_proxy: "::1" }, false],
])("a request to %s with %j is refused: %s", (url, variables, isRefused) => {
  useProxies(variables);

  expect(findProxyProblem(url) !== undefined).toBe(isRefused);
});

test.each([{}, { protocol: "http:" }, { protocol: "proxy:" }])(
  "a custom global agent is not used, and configures no proxy: %j",
  async (agent) => {
    const { baseUrl } = await startServer(text(200, "done"));
    onTestFinished(() => void Object.assign(http, { globalAgent }));
    Object.assign(http, { globalAgent: { addRequest: () => undefined, ...agent } });

    const response = await createTransport()(baseUrl);

    expect(await response.text()).toBe("done");
  },
);
