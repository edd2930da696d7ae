import https from "node:https";
import { setupServer } from "msw/node";
import { PaymentsClient } from "payments-sdk";
import { handlers } from "payments-sdk/msw";
import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { goodRequest, seen } from "../support/good-calls.ts";
import { bodyOf } from "../support/wire.ts";

const CREATE = "transactions.create";

/** A gateway behind msw, whose next create goes wrong. */
function intercepted(kind: FaultKind) {
  const gateway = createGateway();
  const server = setupServer(...handlers(gateway));
  server.listen({ onUnhandledFrame: "error" });
  onTestFinished(() => server.close());
  gateway.faults.add({ on: CREATE, kind });
  const create = (init: RequestInit = {}) => fetch(goodRequest(CREATE, gateway, init));
  const charges = () => gateway.chargesFor("order-1").length;
  return { gateway, create, charges };
}

describe("behind msw", () => {
  test.each<[FaultKind, number]>([
    ["charged_then_reset", 1],
    ["refused_connection", 0],
  ])("%s is a network error and no 500, with %i charge; the next call is fine", async (kind, charged) => {
    const { create, charges } = intercepted(kind);

    await expect(create()).rejects.toThrow(TypeError);

    expect(charges()).toBe(charged);
    expect((await create()).status).toBe(201);
  });

  test.each<[FaultKind, number, RegExp, number]>([
    ["charged_then_500", 500, /Internal Server Error/, 1],
    ["html_502", 502, /^<html>/, 0],
    ["truncated_json", 201, /^\{"success":true,.*[^}]$/, 1],
    ["unknown_status", 201, /PENDING_3DS/, 1],
    ["drifted_body", 201, /"addedLater":true/, 1],
    ["rate_limited", 429, /Too Many Requests/, 0],
  ])("%s is a %i with a text like %s, and %i charge", async (kind, status, text, charged) => {
    const { create, charges } = intercepted(kind);

    const answer = await seen(await create());

    expect([answer.status, charges()]).toEqual([status, charged]);
    expect(answer.text).toMatch(text);
  });

  test("a redirect is not followed where the caller says so, and charges once where it is", async () => {
    const { gateway, create, charges } = intercepted("redirect_307");

    const manual = await create({ redirect: "manual" });
    const before = charges();
    gateway.faults.add({ on: CREATE, kind: "redirect_307" });
    const followed = await create();

    expect([manual.status, before]).toEqual([307, 0]);
    expect([followed.status, charges()]).toEqual([201, 1]);
  });

  test("a stalled call ends when its caller gives up", async () => {
    const { create, charges } = intercepted("charged_then_stalled");
    const patience = new AbortController();

    const call = create({ signal: patience.signal });
    await vi.waitFor(() => expect(charges()).toBe(1), 10_000);
    patience.abort(new Error("no more patience"));

    await expect(call).rejects.toThrow("no more patience");
  });

  test("a stalled body ends when its caller gives up", async () => {
    const { create, charges } = intercepted("stalled_body");
    const patience = new AbortController();

    const response = await create({ signal: patience.signal });
    const text = response.text();
    patience.abort(new Error("no more patience"));

    expect([response.status, charges()]).toEqual([201, 1]);
    await expect(text).rejects.toThrow("no more patience");
  });

  test("node:https sees an error, too, and no answer", async () => {
    const { gateway, charges } = intercepted("charged_then_reset");
    const { url, headers } = goodRequest(CREATE, gateway);
    const body = await goodRequest(CREATE, gateway).text();

    const end = await new Promise((resolve) => {
      const outgoing = https.request(url, { method: "POST", headers: Object.fromEntries(headers) });
      outgoing.once("response", ({ statusCode }) => resolve(`answered ${statusCode}`));
      outgoing.once("error", (error) => resolve(error));
      outgoing.end(body);
    });

    expect(end).toBeInstanceOf(Error);
    expect(charges()).toBe(1);
  });

  test.each<[FaultKind, string, string]>([
    ["charged_then_reset", "connection_failed", "unknown"],
    ["refused_connection", "connection_failed", "unknown"], // msw stands between, and proves nothing
    ["charged_then_stalled", "timed_out", "unknown"],
    ["stalled_body", "timed_out", "unknown"],
    ["rate_limited", "rate_limited", "rejected"],
  ])("our client meets %s with %s, %s", async (kind, code, outcome) => {
    const { gateway } = intercepted(kind);
    const { baseUrl, secretKey, publicKey } = gateway;
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, timeout: 300 });
    const order = await bodyOf(new Response(await goodRequest(CREATE, gateway).text()));
    const { amount, customer, externalRef } = order;

    const call = payments.transactions.createPix({ amount, customer, externalRef });

    await expect(call).rejects.toMatchObject({ code, outcome });
  });
});
