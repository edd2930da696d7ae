import { expect, onTestFinished, test } from "vitest";
import { run } from "../support/running.ts";

/** `serve()` replaces the global `Request` and `Response`. The build contains its own copy of `@hono/node-server`. */
const PROGRAM = `
  import { serve } from "@hono/node-server";
  import { PaymentsClient } from "payments-sdk";
  import { startSandbox } from "payments-sdk/sandbox/server";

  const shop = serve({ port: 0, fetch: (request) => sandbox.gateway.fetch(request, { method: "GET" }) });
  await new Promise((resolve) => shop.once("listening", resolve));
  const sandbox = await startSandbox();
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const { transactions } = new PaymentsClient({ baseUrl, secretKey, publicKey });
  const order = {
    ...{ externalRef: "order-1", amount: 1990, ip: "203.0.113.7", metadata: {}, traceable: true },
    items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
    customer: {
      ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
      document: { type: "cpf", number: "52998224725" },
    },
  };
  const { status } = await transactions.createPix({ ...order, pix: { expiresInDays: 1 } });
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_500" });
  const { code } = await transactions.createPix({ ...order, pix: { expiresInDays: 1 } }).catch((error) => error);
  const page = await fetch(baseUrl);
  const control = await fetch(baseUrl + "/sandbox/transactions/latest/pay", { method: "POST" });
  const forwarded = await fetch("http://localhost:" + shop.address().port + "/api/v1/status", { method: "POST" });
  console.log(JSON.stringify([status, code, page.status, control.status, forwarded.status]));
  await sandbox.close();
  shop.closeAllConnections();
  shop.close();
`;

test("the built sandbox works in the process of a shop that uses Hono on Node", async () => {
  const shop = run("node", ["--input-type=module", "--eval", PROGRAM]);
  onTestFinished(shop.kill);

  expect([await shop.ended, shop.stderr()]).toEqual([0, ""]);
  expect(JSON.parse(shop.stdout())).toEqual(["pending", "server_error", 200, 200, 200]);
});
