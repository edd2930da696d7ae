import type { FaultKind } from "payments-sdk/sandbox";
import { expect, test, vi } from "vitest";
import { openConnection, start, toRawRequest } from "../support/running.ts";
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

test("a reset sends no bytes, and is an ECONNRESET", async () => {
  const sandbox = await startWith("charged_then_reset");
  const connection = await openConnection(sandbox);

  connection.write(await toRawRequest(validRequest(CREATE, sandbox)));

  expect(await connection.ended).toBe("ECONNRESET");
  expect(connection.received()).toBe("");
  expect(sandbox.charges()).toBe(1);
});

test("a stalled call sends no bytes on an open connection, and aborting it does not affect other calls", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const connection = await openConnection(sandbox);

  connection.write(await toRawRequest(validRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);
  const other = await fetch(validRequest(CREATE, sandbox));
  const state = await Promise.race([connection.ended, "open"]);
  connection.destroy();

  expect([connection.received(), state, other.status]).toEqual(["", "open", 201]);
  expect((await fetch(validRequest(CREATE, sandbox))).status).toBe(201);
  expect(sandbox.charges()).toBe(3);
});

test("a stalled body sends the headers and half of the body on an open connection", async () => {
  const sandbox = await startWith("stalled_body");
  const connection = await openConnection(sandbox);

  connection.write(await toRawRequest(validRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(connection.received()).toMatch(/"Transaction created"/), 10_000);
  const whole = await (await fetch(validRequest(CREATE, sandbox))).text();

  const [head = "", body = ""] = connection.received().split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 201 .*\r\ncontent-length: \d+/is);
  expect(body.length).toBeGreaterThan(whole.length * 0.45);
  expect(body.length).toBeLessThan(whole.length * 0.55);
  expect(await Promise.race([connection.ended, "open"])).toBe("open");
});

test("close ends stalled calls", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const call = codeOf(fetch(validRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

  await sandbox.close();

  expect(await call).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
});
