import { Agent, get as httpGet, request as httpRequest } from "node:http";
import type { Fault } from "payments-sdk/sandbox";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codeOf, goodRequest } from "../support/good-calls.ts";
import { dial, rawRequest, start, takePort } from "../support/running.ts";

const CREATE = "transactions.create";
const REFUSED: Fault = { on: CREATE, kind: "refused_connection" };

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

  test.each<[string, (sandbox: Sandbox) => unknown]>([
    ["cleared", ({ gateway }) => gateway.faults.clear()],
    ["removed", ({ gateway }) => gateway.faults.remove(1)],
  ])("that is %s opens the port at once", async (_how, takeAway) => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ ...REFUSED, times: 60 });
    const before = await create(sandbox);

    takeAway(sandbox);

    expect([before, await create(sandbox)]).toEqual(["ECONNREFUSED", "answered 201"]);
  });

  test("can come and go many times in one moment", async () => {
    const sandbox = await start();
    const { faults } = sandbox.gateway;

    for (let time = 0; time < 10; time += 1) {
      faults.add(REFUSED);
      faults.clear();
    }
    const open = await create(sandbox);
    for (let time = 0; time < 10; time += 1) {
      faults.clear();
      faults.add(REFUSED);
    }

    expect([open, await create(sandbox)]).toEqual(["answered 201", "ECONNREFUSED"]);
  });

  test("armed over HTTP is answered, and the next call is refused", async () => {
    const sandbox = await start();
    const arming = { method: "POST", body: JSON.stringify(REFUSED) };

    const armed = await fetch(`${sandbox.baseUrl}/sandbox/faults`, arming);

    expect([armed.status, await armed.json()]).toEqual([201, { id: 1, ...REFUSED, times: 1 }]);
    expect(await create(sandbox)).toBe("ECONNREFUSED");
  });

  test("lets a request end that had begun", async () => {
    const sandbox = await start();
    const connection = await dial(sandbox);
    const text = await rawRequest(goodRequest("cardTokens.create", sandbox));
    connection.write(text.slice(0, -10));
    await answered(sandbox); // after which the server has seen the other one's head, too

    sandbox.gateway.faults.add(REFUSED);
    connection.write(text.slice(-10));

    await connection.ended;
    expect(connection.received()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("that waits for another fault of its endpoint closes the port when its turn comes", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: CREATE, kind: "html_502" });
    sandbox.gateway.faults.add(REFUSED);

    const outcomes = [await status(sandbox), await create(sandbox), await create(sandbox)];

    expect(outcomes).toEqual(["answered 200", "answered 502", "ECONNREFUSED"]);
  });

  test("does not wait for a fault of another endpoint", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "company.retrieve", kind: "html_502" });
    sandbox.gateway.faults.add(REFUSED);

    expect(await create(sandbox)).toBe("ECONNREFUSED");
  });
});

const answered = async (sandbox: Sandbox) => expect(await status(sandbox)).toBe("answered 200");

describe("clients that keep connections", () => {
  // The server closes what it keeps, but a client may write before it hears of that.
  const LOST = ["ECONNREFUSED", "ECONNRESET", "UND_ERR_SOCKET", "EPIPE"];

  test("of a pool are refused or reset on each of them, nothing is done, and then they are refused", async () => {
    const sandbox = await start();
    const many = () => Promise.all(Array.from({ length: 5 }, () => create(sandbox)));
    await many();

    sandbox.gateway.faults.add({ ...REFUSED, times: 60 });
    const [first, second] = [await many(), await many()];

    for (const code of first) expect(LOST).toContain(code);
    expect(second).toEqual(Array(5).fill("ECONNREFUSED"));
    expect(sandbox.gateway.transactions).toHaveLength(5);
  });

  test("lose the one over which they closed the port: the next call is refused", async () => {
    const sandbox = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const call = (method: string, path: string, body = "") =>
      new Promise((resolve) => {
        const outgoing = httpRequest(sandbox.baseUrl + path, { method, agent }, (response) => {
          response.resume().once("end", () => setImmediate(() => resolve(response.statusCode)));
        });
        outgoing.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
        outgoing.end(body);
      });

    const arming = await call("POST", "/sandbox/faults", JSON.stringify(REFUSED));
    const next = await call("GET", "/sandbox/overview");

    expect([arming, next]).toEqual([201, "ECONNREFUSED"]);
  });

  test("keep them from call to call while nothing is armed", async () => {
    const sandbox = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const portOfCall = () =>
      new Promise((resolve, reject) => {
        const outgoing = httpGet(`${sandbox.baseUrl}/api/v1/status`, { agent }, (response) => {
          const { localPort } = response.socket;
          response.resume().once("end", () => resolve(localPort));
        });
        outgoing.once("error", reject);
      });

    const ports = [await portOfCall(), await portOfCall(), await portOfCall()];

    expect(new Set(ports).size).toBe(1);
  });
});

test("the port is closed for one second for each time, and opens by itself", async () => {
  async function secondsClosed(...faults: readonly Fault[]): Promise<number> {
    const sandbox = await start();
    const begin = performance.now();
    for (const fault of faults) sandbox.gateway.faults.add(fault);
    await vi.waitFor(() => answered(sandbox), { timeout: 10_000, interval: 20 });
    expect(sandbox.gateway.faults.armed).toEqual([]);
    return (performance.now() - begin) / 1000;
  }

  const [one, two, oneAfterTheOther] = await Promise.all([
    secondsClosed(REFUSED),
    secondsClosed({ ...REFUSED, times: 2 }),
    secondsClosed(REFUSED, { ...REFUSED, on: "company.retrieve" }),
  ]);

  expect(one).toBeGreaterThanOrEqual(0.99);
  expect(one).toBeLessThan(two);
  expect(two).toBeGreaterThanOrEqual(1.99);
  expect(oneAfterTheOther).toBeGreaterThanOrEqual(1.99);
});

describe("close, while the port is closed", () => {
  test("ends it for good, and leaves the port to others", async () => {
    const sandbox = await start();
    const port = Number(new URL(sandbox.baseUrl).port);
    sandbox.gateway.faults.add(REFUSED);

    await sandbox.close();

    const next = await start({ port });
    expect(await create(next)).toBe("answered 201");
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("may come when the port should just open, and is not free", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add(REFUSED);
    await takePort(sandbox);

    sandbox.gateway.faults.clear();

    await expect(sandbox.close()).resolves.toBeUndefined();
  });
});

describe("another program that takes the port meanwhile", () => {
  test("keeps it, and once it ends the sandbox is back", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add(REFUSED);
    const other = await takePort(sandbox);

    sandbox.gateway.faults.clear();
    const meanwhile = await create(sandbox);
    await new Promise((resolve) => other.close(resolve));

    expect(meanwhile).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/); // how the other one treats everybody
    await vi.waitFor(() => answered(sandbox), { timeout: 5_000 });
    expect(await create(sandbox)).toBe("answered 201");
  });

  test("does not stand in the way of the next fault", async () => {
    const sandbox = await start();
    sandbox.gateway.faults.add(REFUSED);
    const other = await takePort(sandbox);

    sandbox.gateway.faults.clear();
    sandbox.gateway.faults.add({ ...REFUSED, times: 60 });
    await new Promise((resolve) => other.close(resolve));
    const refused = await create(sandbox);
    sandbox.gateway.faults.clear();

    expect(refused).toBe("ECONNREFUSED");
    expect(await create(sandbox)).toBe("answered 201");
  });
});
