import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { controlOf } from "../support/control.ts";
import { dial, start } from "../support/running.ts";
import { aCardPayment, aPix, bodyOf, merchant, merchantOf } from "../support/wire.ts";

/** The server that answers for a sandbox, as Node shows it to whoever watches requests. */
async function serverOf({ baseUrl }: Sandbox): Promise<Server> {
  const { port } = new URL(baseUrl);
  const seen: Server[] = [];
  const watch = (message: unknown) => seen.push((message as { server: Server }).server);
  subscribe("http.server.request.start", watch);
  onTestFinished(() => void unsubscribe("http.server.request.start", watch));
  await fetch(`${baseUrl}/api/v1/status`);
  const server = seen.find((one) => (one.address() as AddressInfo | null)?.port === Number(port));
  if (server === undefined) throw new Error("no request was seen");
  return server;
}

describe("slow clients", () => {
  const SLOW_HEAD = "POST /api/v1/transactions HTTP/1.1\r\nhost: x\r\n";
  const SLOW_BODY = `${SLOW_HEAD}content-length: 100\r\n\r\n{`;

  test("have 10 s for the headers of a request and 30 s for all of it", async () => {
    const { headersTimeout, requestTimeout } = await serverOf(await start());

    expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
  });

  test.each([
    ["sends nothing at all", ""],
    ["does not end its headers", SLOW_HEAD],
    ["does not end its body", SLOW_BODY],
  ])("one that %s is cut off with 408, and others are not", async (_what, bytes) => {
    const sandbox = await start();
    const server = await serverOf(sandbox);
    server.headersTimeout = 100;
    server.requestTimeout = 200;
    const slow = await dial(sandbox);
    const begin = performance.now();

    slow.write(bytes);
    await slow.ended;

    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - begin).toBeLessThan(4_000); // it is looked at every second
    expect((await fetch(`${sandbox.baseUrl}/api/v1/status`)).status).toBe(200);
    expect(sandbox.gateway.transactions).toEqual([]);
  });

  test("are cut off after a fault that closed the port, too", async () => {
    const sandbox = await start();
    const server = await serverOf(sandbox);
    sandbox.gateway.faults.add({ on: "transactions.create", kind: "refused_connection" });
    sandbox.gateway.faults.clear();
    await fetch(`${sandbox.baseUrl}/api/v1/status`);
    server.headersTimeout = 100;

    const slow = await dial(sandbox);
    slow.write(SLOW_HEAD);
    await slow.ended;

    expect(slow.received()).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe("10,000 transactions", () => {
  /** Far above what is needed, far below what anything quadratic would take. */
  const GUARD_MS = 10_000;

  async function full() {
    const sandbox = await start({ postbacks: { fetch: async () => new Response() } });
    const { create, token } = merchantOf(sandbox.gateway);
    const hash = await token();
    for (let count = 0; count < 9_000; count += 1) {
      await create(aCardPayment(hash, { externalRef: `order-${count}` }));
    }
    const pix = aPix({ externalRef: "order-pix" });
    for (let count = 0; count < 1_000; count += 1) await create(pix);
    return sandbox;
  }

  test("are made, listed, told, paid and summed up as fast as ever", { timeout: 6 * GUARD_MS }, async () => {
    const begin = performance.now();
    const sandbox = await full();
    const { gateway } = sandbox;
    const control = controlOf(sandbox);
    const { create, get } = merchant(sandbox, fetch);
    const [first, last] = [gateway.transactions[0]?.id ?? 0, gateway.transactions.at(-1)?.id ?? 0];
    const made = performance.now();

    const list = await control("GET", "transactions");
    const oldest = await control("GET", `transactions?before=${first + 2}`);
    const detail = await control("GET", `transactions/${first}`);
    const charges = await control("GET", "charges?externalRef=order-pix");
    const company = await get("/api/v1/company");
    const revenue = await bodyOf(await get("/sellers/revenue"));
    const created = await create(aPix());
    for (let count = 0; count < 100; count += 1) {
      await control("POST", `transactions/${last - count}/pay`);
    }
    const deliveries = await control("GET", "deliveries");
    const expired = await control("POST", "clock", { advanceMs: 30 * 86_400_000 });
    const end = performance.now();

    expect([list.body.transactions.length, list.body.hasMore]).toEqual([100, true]);
    expect(oldest.body.transactions).toMatchObject([{ id: first + 1 }, { id: first }]);
    expect(detail.body.transaction).toMatchObject({ id: first, externalId: "order-0" });
    expect(charges.body.charges).toHaveLength(1_000);
    expect([company.status, created.status, expired.status]).toEqual([200, 201, 200]);
    expect(revenue.map(({ revenue: { total } }: { revenue: { total: number } }) => total)).toContain(179_100);
    expect(deliveries.body.deliveries).toHaveLength(100);
    expect(gateway.transactions.filter(({ status }) => status === "expired")).toHaveLength(901);
    expect(made - begin).toBeLessThan(4 * GUARD_MS); // most of it draws QR pictures
    expect(end - made).toBeLessThan(GUARD_MS);
  });
});

test("a burst of postbacks to a real receiver arrives whole, each once, while the sandbox answers on", async () => {
  const arrived: number[] = [];
  const receiver = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    incoming.once("end", () => {
      arrived.push(JSON.parse(text).id);
      outgoing.end("thanks");
    });
  });
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const postbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/postbacks`;
  const sandbox = await start({ postbacks: { duplicates: 1 } });
  const { gateway } = sandbox;
  const { create } = merchantOf(gateway);
  for (let count = 0; count < 250; count += 1) await create(aPix({ postbackUrl }));
  const ids = gateway.transactions.map(({ id }) => id);

  for (const id of ids) gateway.pay(id);
  const status = await fetch(`${sandbox.baseUrl}/api/v1/status`);
  await vi.waitFor(() => expect(arrived).toHaveLength(500), { timeout: 10_000 });
  await gateway.settled();

  expect(status.status).toBe(200);
  expect(arrived.sort()).toEqual([...ids, ...ids].sort());
  expect(new Set(gateway.deliveries.map((delivery) => delivery.status))).toEqual(new Set(["delivered"]));
  expect(gateway.deliveries.map(({ attempts }) => attempts.length)).toEqual(Array(500).fill(1));
});
