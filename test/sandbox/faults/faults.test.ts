import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import {
  codeOf,
  type EndpointName,
  firstBytes,
  goodRequest,
  type Seen,
  seen,
} from "../support/good-calls.ts";
import { bodyOf } from "../support/wire.ts";

const NOON = Date.parse("2026-12-04T12:00:00.000Z");

/** Two of them with the same calls give the same bodies, so that one shows what the other's would have been. */
const aGateway = () => createGateway({ seed: 7, now: NOON });

const STATUSES: readonly (readonly [EndpointName, number])[] = [
  ["transactions.create", 201],
  ["cardTokens.create", 200],
  ["company.retrieve", 200],
  ["status.retrieve", 200],
  ["sellers.list", 200],
  ["sellers.revenue", 200],
];

/** What stands in the place of an answer. */
const SPOILT: readonly (readonly [FaultKind, (whole: Seen, url: string) => Partial<Seen>])[] = [
  ["charged_then_500", () => ({ status: 500, text: '{"success":false,"message":"Internal Server Error"}' })],
  ["redirect_307", (_whole, url) => ({ status: 307, location: url.replace(/^https:..[^/]+/, ""), text: "" })],
  ["html_502", () => ({ status: 502, type: "text/html", text: expect.stringMatching(/^<html>[^{]+$/) })],
  ["truncated_json", (whole) => ({ ...whole, text: whole.text.slice(0, Math.ceil(whole.text.length / 2)) })],
  [
    "rate_limited",
    () => ({ status: 429, retryAfter: "1", text: '{"success":false,"message":"Too Many Requests"}' }),
  ],
];

describe.each(STATUSES)("%s", (on, status) => {
  async function wholeAnswer(): Promise<Seen> {
    const twin = aGateway();
    return seen(await twin.fetch(goodRequest(on, twin)));
  }

  test(`without a fault is answered ${status}`, async () => {
    expect((await wholeAnswer()).status).toBe(status);
  });

  test.each(SPOILT)("with %s: another answer, once", async (kind, expected) => {
    const gateway = aGateway();
    const whole = await wholeAnswer();
    const request = goodRequest(on, gateway);
    gateway.faults.add({ on, kind });

    const spoilt = await seen(await gateway.fetch(request));
    const next = await gateway.fetch(goodRequest(on, gateway));

    expect(spoilt).toMatchObject(expected(whole, request.url));
    expect(next.status).toBe(status);
  });

  test.each<[FaultKind, string]>([
    ["charged_then_reset", "ECONNRESET"],
    ["refused_connection", "ECONNREFUSED"],
  ])("with %s: rejects as fetch does, with %s, once", async (kind, code) => {
    const gateway = aGateway();
    gateway.faults.add({ on, kind });

    const call = gateway.fetch(goodRequest(on, gateway));

    await expect(call).rejects.toThrow(new TypeError("fetch failed"));
    expect(await codeOf(call)).toBe(code);
    expect((await gateway.fetch(goodRequest(on, gateway))).status).toBe(status);
  });

  test("with charged_then_stalled: nothing comes until the caller gives up", async () => {
    const gateway = aGateway();
    const patience = new AbortController();
    gateway.faults.add({ on, kind: "charged_then_stalled" });

    const call = gateway.fetch(goodRequest(on, gateway, { signal: patience.signal }));
    await vi.waitFor(() => expect(gateway.faults.armed).toEqual([]), 10_000);
    await settledOnItsOwn();
    patience.abort(new Error("no more patience"));

    await expect(call).rejects.toThrow("no more patience");
  });

  test("with stalled_body: the head and half of the body, and nothing until the caller gives up", async () => {
    const gateway = aGateway();
    const whole = await wholeAnswer();
    const patience = new AbortController();
    gateway.faults.add({ on, kind: "stalled_body" });

    const response = await gateway.fetch(goodRequest(on, gateway, { signal: patience.signal }));
    const half = Math.ceil(Buffer.byteLength(whole.text) / 2);
    const { text, reader } = await firstBytes(response, half);
    const rest = reader.read();
    await settledOnItsOwn();
    patience.abort(new Error("no more patience"));

    expect(response.status).toBe(status);
    expect(text).toBe(Buffer.from(whole.text).subarray(0, half).toString());
    await expect(rest).rejects.toThrow("no more patience");
  });

  test("with a fault of another endpoint: as if there were none", async () => {
    const gateway = aGateway();
    const others = STATUSES.map(([name]) => name).filter((name) => name !== on);
    for (const other of others) gateway.faults.add({ on: other, kind: "html_502" });

    const response = await gateway.fetch(goodRequest(on, gateway));

    expect(response.status).toBe(status);
    expect(gateway.faults.armed).toHaveLength(5);
  });
});

/** Lets everything happen that happens without a caller giving up. */
async function settledOnItsOwn(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a status that the specification does not know", () => {
  test.each<[EndpointName, (body: Awaited<ReturnType<typeof bodyOf>>) => unknown]>([
    ["transactions.create", ({ data }) => data.status],
    ["company.retrieve", ({ data }) => data.status],
    ["status.retrieve", ({ status }) => status],
    ["sellers.list", ([, , { status }]) => status],
  ])("stands in the answer of %s, and all else is as it was", async (on, statusIn) => {
    const [gateway, twin] = [aGateway(), aGateway()];
    gateway.faults.add({ on, kind: "unknown_status" });

    const changed = await (await gateway.fetch(goodRequest(on, gateway))).text();
    const whole = await (await twin.fetch(goodRequest(on, twin))).text();

    expect(statusIn(JSON.parse(changed))).toBe("PENDING_3DS");
    const status = on === "transactions.create" ? "pending" : "(active|online|pending)";
    expect(changed).toMatch(pattern(whole, status));
  });

  /** The whole answer, with the unknown status in any place of a known one. */
  function pattern(whole: string, status: string): RegExp {
    const literal = whole.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${literal.replaceAll(new RegExp(`"status":"${status}"`, "g"), '"status":"\\w+"')}$`);
  }

  test.each<EndpointName>(["cardTokens.create", "sellers.revenue"])("is not for %s, which has none", (on) => {
    const { faults } = aGateway();

    const add = () => faults.add({ on, kind: "unknown_status" });

    expect(add).toThrow(
      new TypeError(
        "faults.add: unknown_status is for transactions.create, company.retrieve, status.retrieve, " +
          `sellers.list: an answer of ${on} has no status.`,
      ),
    );
    expect(faults.armed).toEqual([]);
  });
});

describe("a body that drifted", () => {
  async function drifted(on: EndpointName): Promise<Response> {
    const gateway = aGateway();
    gateway.faults.add({ on, kind: "drifted_body" });
    return gateway.fetch(goodRequest(on, gateway));
  }

  test("of a create has texts for numbers, what is new, null, an object, or gone", async () => {
    const body = await bodyOf(await drifted("transactions.create"));

    expect(body).toMatchObject({ success: true, status: 1 });
    expect(body.data).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      amount: "1990",
      addedLater: true,
      secureUrl: null,
      fees: { fixed: "0", percent: "20" },
      customer: { name: "Ana Exemplo", addedLater: true },
    });
    expect(body.data).not.toHaveProperty("createdAt");
  });

  test.each<[EndpointName, object]>([
    ["company.retrieve", { data: { limits: { transactionMinAmount: "100" }, addedLater: true } }],
    ["status.retrieve", { latency: { gateway: expect.stringMatching(/^\d+$/) }, addedLater: true }],
    ["sellers.list", { 0: { name: "Maria Exemplo", addedLater: true } }],
    ["sellers.revenue", { 1: { revenue: { total: "18450.9" }, addedLater: true } }],
  ])("of %s has texts for numbers, and what is new", async (on, expected) => {
    expect(await bodyOf(await drifted(on))).toMatchObject(expected);
  });

  test("of a tokenization is the token in quotes", async () => {
    expect(await (await drifted("cardTokens.create")).text()).toMatch(/^"[\w-]+\.[\w-]+\.[\w-]+"$/);
  });
});
