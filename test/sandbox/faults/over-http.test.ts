import { promisify } from "node:util";
import type { FaultKind } from "payments-sdk/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { findServer, start } from "../support/running.ts";
import { codeOf, validRequest } from "../support/valid-requests.ts";

/** The effect of faults on a real connection. Their responses are tested without one. */

const CREATE = "transactions.create";

async function startWith(kind: FaultKind) {
  const sandbox = await start();
  sandbox.gateway.faults.add({ on: CREATE, kind });
  const charges = () => sandbox.gateway.chargesFor("order-1").length;
  return { ...sandbox, charges };
}

test("a redirect keeps the host name of the request, and following it charges once", async () => {
  const sandbox = await startWith("redirect_307");
  const baseUrl = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  const { url, headers } = validRequest(CREATE, { ...sandbox, baseUrl });
  const body = await validRequest(CREATE, sandbox).text();

  const followed = await fetch(url, { method: "POST", headers, body });

  expect([followed.status, followed.redirected, followed.url]).toEqual([201, true, url]);
  expect(sandbox.charges()).toBe(1);
});

test("close ends stalled calls", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const call = codeOf(fetch(validRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

  await sandbox.close();

  expect(await call).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
});

test("a client that gives up on a stalled body leaves nothing on the console", async () => {
  const sandbox = await startWith("stalled_body");
  const log = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const controller = new AbortController();
  const response = await fetch(validRequest(CREATE, sandbox, { signal: controller.signal }));
  const server = await findServer(sandbox);
  const connections = () => promisify(server.getConnections.bind(server))();

  controller.abort();
  await expect(response.text()).rejects.toThrow();
  await sandbox.close();
  await vi.waitFor(async () => expect(await connections()).toBe(0), 10_000);
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(log).not.toHaveBeenCalled();
});
