import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import type { Gateway } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { heading, row, styled } from "../support/terminal.ts";
import { listUnresolved, resolveOrder } from "./list-and-resolve.ts";

const AMOUNT = 1990; // cents: R$ 19,90
const TIMEOUT_MS = 1_000;
const POSTBACK_TIMEOUT_MS = 10_000;

const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;

/** Two payments without an answer on the embedded sandbox: one is settled by its postback, one by a person. */
export async function showTimeOut(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-unresolved-"));
  const store = sqliteStore(join(folder, "payments.db"));
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
  const postbacks = createPostbackHandler({ signer, store, onPostback: () => undefined }); // the same store
  const server = createServer(postbacks.node).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const sandbox = await startSandbox();
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey },
    timeout: TIMEOUT_MS,
    idempotency: store,
    postbackUrl: `http://127.0.0.1:${port}/postbacks`,
    postbackSigner: signer,
  });

  try {
    heading("1. A create times out, after the service took it");
    gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
    await create(payments, "order-1");

    heading("2. It is sent again: nothing leaves");
    await create(payments, "order-1");
    showCharges(gateway, "order-1");
    console.log();
    await listUnresolved(store);

    heading("3. The buyer pays, and the signed postback settles it");
    for (const { id } of gateway.chargesFor("order-1")) gateway.pay(id);
    await postbacks.waitFor("order-1", { signal: AbortSignal.timeout(POSTBACK_TIMEOUT_MS) });
    await listUnresolved(store);
    await create(payments, "order-1");

    heading("4. Another create fails, before the service took it");
    gateway.faults.add({ on: "transactions.create", kind: "html_502" });
    await create(payments, "order-2");
    console.log();
    await listUnresolved(store);

    heading("5. A person looks into the dashboard, and resolves it");
    showCharges(gateway, "order-2");
    await resolveOrder(store, "order-2", { charged: false, attempt: 1 });
    await create(payments, "order-2");
    showCharges(gateway, "order-2");
  } finally {
    server.close();
    server.closeAllConnections();
    await sandbox.close();
    store.close();
    rmSync(folder, { recursive: true });
  }
}

async function create(payments: PaymentsClient, externalRef: string): Promise<void> {
  try {
    const { data, response } = await payments.transactions
      .createPix({ amount: AMOUNT, customer, externalRef })
      .withResponse();
    row("Create", `${externalRef}: ${styled("green", data.status)}, transaction ${data.id}`);
    row("Sent", response.replayed ? "no, this is what the store knows" : "yes");
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    row("Create", `${externalRef}: ${styled("red", error.name)}`);
    row("Outcome", error.outcome);
  }
}

function showCharges(gateway: Gateway, externalRef: string): void {
  const ids = gateway.chargesFor(externalRef).map(({ id }) => id);
  row(
    "Dashboard",
    `${externalRef}: ${ids.length === 0 ? "no transaction" : `transaction ${ids.join(", ")}`}`,
  );
}
