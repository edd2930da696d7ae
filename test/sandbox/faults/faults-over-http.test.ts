import { request as httpRequest } from "node:http";
import type { FaultKind } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { codeOf, goodRequest, seen } from "../support/good-calls.ts";
import { dial, rawRequest, start } from "../support/running.ts";

const CREATE = "transactions.create";

async function startWith(kind: FaultKind) {
  const sandbox = await start();
  sandbox.gateway.faults.add({ on: CREATE, kind });
  const charges = () => sandbox.gateway.chargesFor("order-1").length;
  return { ...sandbox, charges };
}

describe("what fetch sees", () => {
  test.each<[FaultKind, number, RegExp, number]>([
    ["charged_then_500", 500, /^\{"success":false,"message":"Internal Server Error"\}$/, 1],
    ["html_502", 502, /^<html>.*502 Bad Gateway/s, 0],
    ["truncated_json", 201, /^\{"success":true,"message":"Transaction created","status":201,.*[^}]$/, 1],
    ["unknown_status", 201, /"status":"PENDING_3DS"/, 1],
    ["drifted_body", 201, /"secureUrl":null/, 1],
    ["rate_limited", 429, /"Too Many Requests"/, 0],
  ])("of %s: %i, a text like %s, and %i charges", async (kind, status, text, charges) => {
    const sandbox = await startWith(kind);

    const answer = await seen(await fetch(goodRequest(CREATE, sandbox)));

    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
    expect(sandbox.charges()).toBe(charges);
  });

  test("of a 429 holds how long to wait", async () => {
    const sandbox = await startWith("rate_limited");

    expect((await seen(await fetch(goodRequest(CREATE, sandbox)))).retryAfter).toBe("1");
  });

  test.each(["127.0.0.1", "localhost"])(
    "of a redirect is the address that was called; to follow it charges once, at %s too",
    async (name) => {
      const sandbox = await startWith("redirect_307");
      const baseUrl = sandbox.baseUrl.replace("127.0.0.1", name);
      const request = goodRequest(CREATE, { ...sandbox, baseUrl });

      const answer = await seen(await fetch(request.clone(), { redirect: "manual" }));
      const chargesBefore = sandbox.charges();
      sandbox.gateway.faults.add({ on: CREATE, kind: "redirect_307" });
      const followed = await fetch(request.url, {
        method: "POST",
        headers: request.headers,
        body: await request.text(),
      });

      expect(answer).toMatchObject({ status: 307, location: "/api/v1/transactions", text: "" });
      expect(chargesBefore).toBe(0);
      expect([followed.status, followed.redirected, sandbox.charges()]).toEqual([201, true, 1]);
    },
  );

  test("of a reset is ECONNRESET", async () => {
    const sandbox = await startWith("charged_then_reset");

    expect(await codeOf(fetch(goodRequest(CREATE, sandbox)))).toBe("ECONNRESET");
    expect(sandbox.charges()).toBe(1);
  });
});

describe("what a socket sees", () => {
  test("of a reset: not one byte, and ECONNRESET", async () => {
    const sandbox = await startWith("charged_then_reset");
    const connection = await dial(sandbox);

    connection.write(await rawRequest(goodRequest(CREATE, sandbox)));

    expect(await connection.ended).toBe("ECONNRESET");
    expect(connection.received()).toBe("");
    expect(sandbox.charges()).toBe(1);
  });

  test("of a stalled call: not one byte, on an open connection", async () => {
    const sandbox = await startWith("charged_then_stalled");
    const connection = await dial(sandbox);
    const other = await dial(sandbox);

    connection.write(await rawRequest(goodRequest(CREATE, sandbox)));
    await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);
    other.write(await rawRequest(goodRequest(CREATE, sandbox)));
    await vi.waitFor(() => expect(other.received()).toMatch(/^HTTP\/1\.1 201 /), 10_000);

    expect(connection.received()).toBe("");
    expect(await Promise.race([connection.ended, "open"])).toBe("open");
  });

  test("of a stalled body: the head, and half of the body, on an open connection", async () => {
    const sandbox = await startWith("stalled_body");
    const connection = await dial(sandbox);

    connection.write(await rawRequest(goodRequest(CREATE, sandbox)));
    await vi.waitFor(() => expect(connection.received()).toMatch(/"Transaction created"/), 10_000);
    const whole = await (await fetch(goodRequest(CREATE, sandbox))).text();

    const [head = "", body = ""] = connection.received().split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 201 .*\r\ncontent-type: application\/json/is);
    expect(body.length).toBeGreaterThan(whole.length * 0.45);
    expect(body.length).toBeLessThan(whole.length * 0.55);
    expect(await Promise.race([connection.ended, "open"])).toBe("open");
  });

  test("of a client that gives up a stalled call: the sandbox answers on", async () => {
    const sandbox = await startWith("charged_then_stalled");
    const connection = await dial(sandbox);
    connection.write(await rawRequest(goodRequest(CREATE, sandbox)));
    await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

    connection.destroy();

    expect((await fetch(goodRequest(CREATE, sandbox))).status).toBe(201);
    expect(sandbox.charges()).toBe(2);
  });
});

test("node:http sees a reset as ECONNRESET, too", async () => {
  const sandbox = await startWith("charged_then_reset");
  const { url, headers } = goodRequest(CREATE, sandbox);
  const body = await goodRequest(CREATE, sandbox).text();

  const code = await new Promise((resolve) => {
    const outgoing = httpRequest(url, { method: "POST", headers: Object.fromEntries(headers) });
    outgoing.once("response", ({ statusCode }) => resolve(statusCode));
    outgoing.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    outgoing.end(body);
  });

  expect(code).toBe("ECONNRESET");
  expect(sandbox.charges()).toBe(1);
});

test("close ends stalled calls", async () => {
  const sandbox = await startWith("charged_then_stalled");
  const call = codeOf(fetch(goodRequest(CREATE, sandbox)));
  await vi.waitFor(() => expect(sandbox.charges()).toBe(1), 10_000);

  await sandbox.close();

  expect(await call).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
});
