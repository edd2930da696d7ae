import { expect, test } from "vitest";
import { findServer, openConnection, start } from "../sandbox/support/running.ts";

const SLOW_HEAD = "POST /api/v1/transactions HTTP/1.1\r\nhost: x\r\n";

test.each([
  ["sends nothing at all", ""],
  ["does not end its headers", SLOW_HEAD],
  ["does not end its body", `${SLOW_HEAD}content-length: 100\r\n\r\n{`],
])(
  "a client that %s is disconnected with 408, even after a fault that closed the port",
  async (_what, bytes) => {
    const sandbox = await start();
    sandbox.gateway.faults.add({ on: "transactions.create", kind: "refused_connection" });
    sandbox.gateway.faults.clear();
    const server = await findServer(sandbox);
    server.headersTimeout = 100;
    server.requestTimeout = 200;

    const slow = await openConnection(sandbox);
    slow.write(bytes);
    await slow.ended;

    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect((await fetch(`${sandbox.baseUrl}/api/v1/status`)).status).toBe(200);
    expect(sandbox.gateway.transactions).toEqual([]);
  },
);
