import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { listen } from "../support/receiver.ts";
import { showResolved, showUnresolved, unresolvedIn } from "./list-and-resolve.ts";
import { customer } from "./support/customer.ts";
import type { Tools } from "./support/example.ts";
import { row, statusText, styled } from "./support/terminal.ts";

const AMOUNT = 1990; // cents: R$ 19,90
const TIMEOUT_MS = 1_000;
const POSTBACK_TIMEOUT_MS = 10_000;

type Printing = Pick<Tools<Record<never, never>>, "tell" | "say" | "onEnd">;

/** Two payments without an answer on the embedded sandbox: one is settled by its postback, one by a person. */
export async function showTimeOut({ tell, say, onEnd }: Printing): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-unresolved-"));
  onEnd(() => rmSync(folder, { recursive: true }));
  const store = sqliteStore(join(folder, "payments.db"));
  onEnd(() => store.close());
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
  const postbacks = createPostbackHandler({ signer, store, onPostback: () => undefined }); // the same store
  const receiver = await listen(postbacks.node);
  onEnd(() => receiver.close());

  const sandbox = await startSandbox();
  onEnd(() => sandbox.close());
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey },
    timeout: TIMEOUT_MS,
    idempotency: store,
    postbackUrl: receiver.url,
    postbackSigner: signer,
  });

  const heading = (text: string) => say(`\n${styled("bold", text)}`);
  const create = async (externalRef: string) => tell(await attempt(payments, externalRef), showAttempt);
  const look = async () =>
    tell({ unresolved: await unresolvedIn(store) }, ({ unresolved }) =>
      showUnresolved(unresolved, "payments.db"),
    );
  const lookIntoDashboard = (externalRef: string) => {
    const transactions = gateway.chargesFor(externalRef).map(({ id }) => id);
    tell({ externalRef, transactions }, showDashboard);
  };

  heading("1. A create times out, after the service took it");
  gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
  await create("order-1");

  heading("2. It is sent again: nothing leaves");
  await create("order-1");
  lookIntoDashboard("order-1");
  say("");
  await look();

  heading("3. The buyer pays, and the signed postback settles it");
  for (const { id } of gateway.chargesFor("order-1")) gateway.pay(id);
  await postbacks.waitFor("order-1", { signal: AbortSignal.timeout(POSTBACK_TIMEOUT_MS) });
  await look();
  await create("order-1");

  heading("4. Another create fails, before the service took it");
  gateway.faults.add({ on: "transactions.create", kind: "html_502" });
  await create("order-2");
  say("");
  await look();

  heading("5. A person looks into the dashboard, and resolves it");
  lookIntoDashboard("order-2");
  const { state } = await store.resolve("order-2", { charged: false, attempt: 1 });
  tell({ externalRef: "order-2", state }, showResolved);
  await create("order-2");
  lookIntoDashboard("order-2");
}

type Attempt = { readonly externalRef: string } & (
  | { readonly id: number | string; readonly status: string; readonly replayed: boolean }
  | { readonly error: string; readonly outcome: string }
);

async function attempt(payments: PaymentsClient, externalRef: string): Promise<Attempt> {
  try {
    const { data, response } = await payments.transactions
      .createPix({ amount: AMOUNT, customer, externalRef })
      .withResponse();
    return { externalRef, id: data.id, status: data.status, replayed: response.replayed };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return { externalRef, error: error.name, outcome: error.outcome };
  }
}

function showAttempt(made: Attempt): void {
  if ("error" in made) {
    row("Create", `${made.externalRef}: ${styled("red", made.error)}`);
    row("Outcome", made.outcome);
  } else {
    row("Create", `${made.externalRef}: ${statusText(made.status)}, transaction ${made.id}`);
    row("Sent", made.replayed ? "no, this is what the store knows" : "yes");
  }
}

function showDashboard({
  externalRef,
  transactions: ids,
}: {
  externalRef: string;
  transactions: number[];
}): void {
  row(
    "Dashboard",
    `${externalRef}: ${ids.length === 0 ? "no transaction" : `transaction ${ids.join(", ")}`}`,
  );
}
