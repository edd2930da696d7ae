import { Agent, request as httpRequest } from "node:http";
import type { Fault } from "payments-sdk/sandbox";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codeOf, goodRequest } from "../support/good-calls.ts";
import { start } from "../support/running.ts";

const CREATE = "transactions.create";
const REFUSED: Fault = { on: CREATE, kind: "refused_connection", times: 60 };

const create = (sandbox: Sandbox) => codeOf(fetch(goodRequest(CREATE, sandbox)));
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

  test("that is removed opens the port at once, also after it came and went many times", async () => {
    const sandbox = await start();
    const { faults } = sandbox.gateway;

    for (let time = 0; time < 10; time += 1) faults.remove(faults.add(REFUSED).id);
    const open = await create(sandbox);
    for (let time = 0; time < 10; time += 1) {
      faults.clear();
      faults.add(REFUSED);
    }

    expect([open, await create(sandbox)]).toEqual(["answered 201", "ECONNREFUSED"]);
  });

  test("waits for another fault of its endpoint, and not for one of another endpoint", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "company.retrieve", kind: "html_502" });
    sandbox.gateway.faults.add({ on: CREATE, kind: "html_502" });
    sandbox.gateway.faults.add(REFUSED);

    const outcomes = [await status(sandbox), await create(sandbox), await create(sandbox)];

    expect(outcomes).toEqual(["answered 200", "answered 502", "ECONNREFUSED"]);
  });

  test("closes the port for one second for each time, which then opens by itself", async () => {
    const sandbox = await start();
    const sleep = vi.spyOn(globalThis, "setTimeout");
    sandbox.gateway.faults.add({ ...REFUSED, times: 2 });
    const [closedFor] = sleep.mock.calls.map(([, ms]) => ms);
    sleep.mockRestore();
    sandbox.gateway.faults.clear();
    sandbox.gateway.faults.add({ ...REFUSED, times: 1 });

    await vi.waitFor(async () => expect(await status(sandbox)).toBe("answered 200"), 10_000);

    expect(closedFor).toBe(2_000);
    expect(sandbox.gateway.faults.armed).toEqual([]);
  });
});

test("clients keep a connection from call to call, and lose the one over which they closed the port", async () => {
  const sandbox = await start();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const call = (method: string, path: string, body = "") =>
    new Promise<readonly [status: unknown, port?: number | undefined]>((resolve) => {
      const outgoing = httpRequest(sandbox.baseUrl + path, { method, agent }, (response) => {
        const { localPort } = response.socket;
        response.resume().once("end", () => setImmediate(() => resolve([response.statusCode, localPort])));
      });
      outgoing.once("error", (error: NodeJS.ErrnoException) => resolve([error.code]));
      outgoing.end(body);
    });

  const [, before] = await call("GET", "/sandbox/overview");
  const [armed, port] = await call("POST", "/sandbox/faults", JSON.stringify(REFUSED));
  const [next] = await call("GET", "/sandbox/overview");

  expect(port).toBe(before);
  expect([armed, next]).toEqual([201, "ECONNREFUSED"]);
});

test("another program may take the port meanwhile; once it ends the sandbox is back", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add(REFUSED);
  const other = await start({ port: Number(new URL(sandbox.baseUrl).port) });

  sandbox.gateway.faults.clear();
  const meanwhile = await create(sandbox);
  await other.close();
  await vi.waitFor(async () => expect(await status(sandbox)).toBe("answered 200"), 10_000);

  expect(meanwhile).toBe("answered 201");
  expect([other.gateway.transactions.length, sandbox.gateway.transactions.length]).toEqual([1, 0]);
});

test("close, while the port is closed, leaves it to others for good", async () => {
  const sandbox = await start();
  sandbox.gateway.faults.add(REFUSED);

  await sandbox.close();

  const next = await start({ port: Number(new URL(sandbox.baseUrl).port) });
  expect(await create(next)).toBe("answered 201");
  expect(next.gateway.transactions).toHaveLength(1);
});
