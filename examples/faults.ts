/**
 * How a payment can fail, and what the error reports about the charge.
 *
 *   npm run example faults
 *
 * Runs on its own sandbox, which simulates each failure.
 */
import { type CreatePixParams, isPaymentsError, PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { FAULT_KINDS } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";

const { baseUrl, secretKey, publicKey, gateway, close } = await startSandbox();
const order = {
  amount: 1990,
  customer: {
    ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
    document: { type: "cpf", number: "529.982.247-25" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  postbackUrl: `${baseUrl}/sandbox/inbox`,
  ...{ ip: "203.0.113.7", metadata: {}, traceable: true, pix: { expiresInDays: 1 } },
} satisfies CreatePixParams;

/** Creates a pix. Returns the code and the outcome of the error. */
async function pay(externalRef: string): Promise<readonly [code: string, outcome: string]> {
  const transport = nodeTransport(); // reports not_sent in more cases than fetch
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, timeout: 1500, fetch: transport });
  try {
    const { status } = await payments.transactions.createPix({ ...order, externalRef });
    return [`none, status ${status}`, "created"];
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return [error.code, error.outcome];
  } finally {
    transport.close();
  }
}

console.log("fault                 charged  error code                 outcome");
for (const kind of FAULT_KINDS) {
  gateway.faults.add({ on: "transactions.create", kind });
  const [code, outcome] = await pay(`order-${kind}`);
  gateway.faults.clear();
  const isCharged = gateway.chargesFor(`order-${kind}`).length > 0; // whether the sandbox charged the customer
  console.log(kind.padEnd(21), (isCharged ? "yes" : "no").padEnd(8), code.padEnd(26), outcome);
}
console.log("\nIf error.mayHaveCharged is false, no one was charged. Otherwise, do not pay again:");
console.log("wait for the signed postback, or resolve the order with `payments orders`.");
await close();
