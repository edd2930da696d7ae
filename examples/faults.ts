/**
 * Everything that can go wrong with a payment, once each.
 *
 *   npm run example faults
 */
import {
  isPaymentsError,
  type Outcome,
  PaymentsClient,
  type PaymentsErrorCode,
  type TransactionStatus,
} from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { FAULT_KINDS, type FaultKind } from "payments-sdk/sandbox";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { example } from "./support/example.ts";
import { customer } from "./support/order.ts";
import { styled, table } from "./support/terminal.ts";

const TIMEOUT_MS = 500;

await example({
  name: "faults",
  summary:
    "Everything that can go wrong with a payment, once each: what really happened, and what the SDK says of it.",
  flags: {},
  where: "Runs on a sandbox of its own: no other service fails when it is asked to.",
  notes: "It sends with nodeTransport, which proves more of what was not sent than fetch does.",
  async run({ tell, onEnd }) {
    const sandbox = await startSandbox();
    onEnd(() => sandbox.close());

    const seen: Seen[] = [];
    for (const kind of FAULT_KINDS) seen.push(await payDespite(kind, sandbox));

    tell(seen, show);
  },
});

interface Seen {
  readonly kind: FaultKind;
  /** Whether the service took the payment. */
  readonly charged: boolean;
  /** The code of the error; `null` where the call gave a transaction. */
  readonly code: PaymentsErrorCode | null;
  readonly outcome: Outcome;
  readonly status?: TransactionStatus;
}

async function payDespite(kind: FaultKind, { gateway, ...keys }: Sandbox): Promise<Seen> {
  const { baseUrl, secretKey, publicKey } = keys;
  const transport = nodeTransport(); // without a connection that the fault before has left open
  const payments = new PaymentsClient({
    baseUrl,
    secretKey,
    publicKey,
    timeout: TIMEOUT_MS,
    fetch: transport,
  });
  const externalRef = `order-${kind}`;
  const isCharged = () => gateway.chargesFor(externalRef).length > 0;
  gateway.faults.add({ on: "transactions.create", kind });
  try {
    const { status } = await payments.transactions.createPix({ amount: 1990, customer, externalRef });
    return { kind, charged: isCharged(), code: null, outcome: "created", status };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return { kind, charged: isCharged(), code: error.code, outcome: error.outcome };
  } finally {
    transport.close();
    gateway.faults.clear();
  }
}

function show(seen: readonly Seen[]): void {
  table(
    ["fault", "charged", "error code", "outcome"],
    seen.map(({ kind, charged, code, outcome, status }) => [
      kind,
      charged ? styled("red", "yes") : "no",
      code ?? `none, status ${status}`,
      outcome,
    ]),
  );
  console.log("\n  Unless the outcome is unknown or created, nobody was charged. After unknown,");
  console.log("  send nothing again: `npm run example unresolved` shows what settles it.");
}
