import { promisify } from "node:util";
import type { Fault, FaultKind } from "payments-sdk/sandbox";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findServer, start } from "./support/running.ts";
import { codeOf, validRequest } from "./support/valid-requests.ts";

/** The effect of faults on a real connection. Their responses are tested without one. */

const CREATE = "transactions.create";
const REFUSED: Fault = { on: CREATE, kind: "refused_connection", times: 60 };

const create = (sandbox: Sandbox) => codeOf(fetch(validRequest(CREATE, sandbox)));
const status = ({ baseUrl }: Sandbox) => codeOf(fetch(`${baseUrl}/api/v1/status`));

describe("a refused_connection", () => {
  test("refuses every endpoint, the control API and the pages, and has no effect", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add(REFUSED);

    const paths = ["/api/v1/status", "/sandbox/overview", "/"];
    const codes = await Promise.all(paths.map((path) => codeOf(fetch(sandbox.baseUrl + path))));

    expect([...codes, await create(sandbox)]).toEqual(Array(4).fill("ECONNREFUSED"));
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("also refuses the client that armed it over a connection that is kept alive", async () => {
    const sandbox = await start();
    const init = { method: "POST", body: JSON.stringify(REFUSED) };
    await (await fetch(`${sandbox.baseUrl}/sandbox/faults`, init)).text();

    expect(await create(sandbox)).toBe("ECONNREFUSED");
  });

  test("is used after earlier faults of its endpoint, but not after those of other endpoints", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "company.retrieve", kind: "html_502" });
    sandbox.gateway.faults.add({ on: CREATE, kind: "html_502" });
    sandbox.gateway.faults.add(REFUSED);

    const outcomes = [await status(sandbox), await create(sandbox), await create(sandbox)];

    expect(outcomes).toEqual(["status 200", "status 502", "ECONNREFUSED"]);
  });

  test("closes the port for one second for each time, and then opens it again", async () => {
    const sandbox = await start();
    const armed = performance.now();
    sandbox.gateway.faults.add({ ...REFUSED, times: 1 });

    await vi.waitFor(async () => expect(await status(sandbox)).toBe("status 200"), 10_000);

    expect(performance.now() - armed).toBeGreaterThan(990);
    expect(sandbox.gateway.faults.armed).toEqual([]);
  });
});

test("another program can take the port, and the sandbox listens again after that program ends", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add(REFUSED);
  const other = await start({ port: Number(new URL(sandbox.baseUrl).port) });

  sandbox.gateway.faults.clear();
  const fromOther = await create(sandbox);
  await other.close();
  await vi.waitFor(async () => expect(await status(sandbox)).toBe("status 200"), 10_000);

  expect(fromOther).toBe("status 201");
  expect([other.gateway.transactions.length, sandbox.gateway.transactions.length]).toEqual([1, 0]);
});

test("close releases a closed port permanently", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add(REFUSED);

  await sandbox.close();

  const next = await start({ port: Number(new URL(sandbox.baseUrl).port) });
  expect(await create(next)).toBe("status 201");
  expect(next.gateway.transactions).toHaveLength(1);
});

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

test("closeConnections ends stalled calls, and the sandbox responds to the next one", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const call = codeOf(fetch(validRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

  sandbox.closeConnections();

  expect(await call).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
  expect((await fetch(validRequest(CREATE, sandbox))).status).toBe(201);
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
