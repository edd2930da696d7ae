import { describe, expect, test } from "vitest";
import { controlOf } from "../../sandbox/support/control.ts";
import { findServer, openConnection, start } from "../../sandbox/support/running.ts";
import { aCardPayment, aPix, bodyOf, merchant, merchantOf } from "../../sandbox/support/wire.ts";

test("2,000 transactions are listed, found, paid and added up correctly", async () => {
  const sandbox = await start({ postbacks: { fetch: async () => new Response() } });
  const { gateway } = sandbox;
  const control = controlOf(sandbox);
  const local = merchantOf(gateway);
  const hash = await local.token();
  for (let count = 0; count < 1_500; count += 1) {
    await local.create(aCardPayment(hash, { externalRef: `order-${count}` }));
  }
  for (let count = 0; count < 500; count += 1) await local.create(aPix({ externalRef: "order-pix" }));
  const [first, last] = [gateway.transactions[0]?.id ?? 0, gateway.transactions.at(-1)?.id ?? 0];

  const list = await control("GET", "transactions?limit=5000");
  const oldest = await control("GET", `transactions?before=${first + 2}`);
  const detail = await control("GET", `transactions/${first}`);
  const charges = await control("GET", "charges?externalRef=order-pix");
  for (let count = 0; count < 100; count += 1) await control("POST", `transactions/${last - count}/pay`);
  const deliveries = await control("GET", "deliveries");
  const revenue = await bodyOf(await merchant(sandbox, fetch).get("/sellers/revenue"));
  await control("POST", "clock", { advanceMs: 30 * 86_400_000 });

  expect(gateway.transactions).toHaveLength(2_000);
  expect([list.body.transactions.length, list.body.hasMore, list.body.total]).toEqual([1_000, true, 2_000]);
  expect(oldest.body.transactions).toMatchObject([{ id: first + 1 }, { id: first }]);
  expect(detail.body.transaction).toMatchObject({ id: first, externalId: "order-0" });
  expect(charges.body.charges).toHaveLength(500);
  expect(deliveries.body.deliveries).toHaveLength(100);
  expect(revenue.at(-1).revenue.total).toBe(31_840); // 1,600 times R$ 19.90
  expect(gateway.transactions.filter(({ status }) => status === "expired")).toHaveLength(400);
});

describe("a slow client", () => {
  const SLOW_HEAD = "POST /api/v1/transactions HTTP/1.1\r\nhost: x\r\n";

  test.each([
    ["sends nothing at all", ""],
    ["does not end its headers", SLOW_HEAD],
    ["does not end its body", `${SLOW_HEAD}content-length: 100\r\n\r\n{`],
  ])("that %s is disconnected with 408, even after a fault that closed the port", async (_what, bytes) => {
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
  });
});
