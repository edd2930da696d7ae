import type { FaultKind } from "payments-sdk/sandbox";
import { expect, test, vi } from "vitest";
import { codeOf, goodRequest } from "../support/good-calls.ts";
import { dial, rawRequest, start } from "../support/running.ts";

/** What faults do to a real connection; what is in their answers is tested without one. */

const CREATE = "transactions.create";

async function startWith(kind: FaultKind) {
  const sandbox = await start();
  sandbox.gateway.faults.add({ on: CREATE, kind });
  const charges = () => sandbox.gateway.chargesFor("order-1").length;
  return { ...sandbox, charges };
}

test("a redirect is under the name that was called, and to follow it charges once", async () => {
  const sandbox = await startWith("redirect_307");
  const baseUrl = sandbox.baseUrl.replace("127.0.0.1", "localhost");
  const { url, headers } = goodRequest(CREATE, { ...sandbox, baseUrl });
  const body = await goodRequest(CREATE, sandbox).text();

  const followed = await fetch(url, { method: "POST", headers, body });

  expect([followed.status, followed.redirected, followed.url]).toEqual([201, true, url]);
  expect(sandbox.charges()).toBe(1);
});

test("a reset sends not one byte, and is an ECONNRESET", async () => {
  const sandbox = await startWith("charged_then_reset");
  const connection = await dial(sandbox);

  connection.write(await rawRequest(goodRequest(CREATE, sandbox)));

  expect(await connection.ended).toBe("ECONNRESET");
  expect(connection.received()).toBe("");
  expect(sandbox.charges()).toBe(1);
});

test("a stalled call sends not one byte on an open connection; a client that gives up harms nobody", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const connection = await dial(sandbox);

  connection.write(await rawRequest(goodRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);
  const other = await fetch(goodRequest(CREATE, sandbox));
  const state = await Promise.race([connection.ended, "open"]);
  connection.destroy();

  expect([connection.received(), state, other.status]).toEqual(["", "open", 201]);
  expect((await fetch(goodRequest(CREATE, sandbox))).status).toBe(201);
  expect(sandbox.charges()).toBe(3);
});

test("a stalled body sends the head and half of the body on an open connection", async () => {
  const sandbox = await startWith("stalled_body");
  const connection = await dial(sandbox);

  connection.write(await rawRequest(goodRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(connection.received()).toMatch(/"Transaction created"/), 10_000);
  const whole = await (await fetch(goodRequest(CREATE, sandbox))).text();

  const [head = "", body = ""] = connection.received().split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 201 .*\r\ncontent-length: \d+/is);
  expect(body.length).toBeGreaterThan(whole.length * 0.45);
  expect(body.length).toBeLessThan(whole.length * 0.55);
  expect(await Promise.race([connection.ended, "open"])).toBe("open");
});

test("close ends stalled calls", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const call = codeOf(fetch(goodRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

  await sandbox.close();

  expect(await call).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
});
