/**
 * Two card payments, and a pix payment that is confirmed by a postback.
 *
 *   npm start
 *
 * Runs on an embedded sandbox: no account, no keys, no network.
 */
import { randomBytes } from "node:crypto";
import { formatBRL, PaymentsClient } from "payments-sdk";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { renderUnicodeCompact } from "uqr";
import { listen } from "./support/receiver.ts";

const sandbox = await startSandbox();
const { baseUrl, secretKey, publicKey, gateway } = sandbox;
const postbackSigner = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
const postbacks = createPostbackHandler({
  signer: postbackSigner,
  onPaid: ({ externalRef, status, amount }) => {
    console.log(`  Postback: ${externalRef} is ${status}, ${formatBRL(amount)}`); // a real shop ships the order here
  },
  onReview: ({ externalRef }, { reason }) => console.error(`  ${externalRef} needs a person: ${reason}`),
});
const receiver = await listen(postbacks.node);
const postbackUrl = receiver.url; // the service posts status changes there
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner });

const amount = 1990; // cents: R$ 19,90
const document = { type: "cpf", number: "529.982.247-25" } as const;
const customer = { name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888", document };
const items = [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }];
const details = { customer, items, ip: "203.0.113.7", metadata: {}, traceable: true };

for (const number of ["4111 1111 1111 1111", "4000 0000 0000 9995"]) {
  console.log(`\nA card payment with ${number}`);
  const card = { number, holderName: customer.name, expirationMonth: 12, expirationYear: 2039, cvv: "123" };
  // In a real shop, the buyer's page creates the token with CardTokenizer: card data never reaches your server.
  const hash = await payments.cardTokens.create(card);
  const order = { amount, ...details, externalRef: `order-${number.slice(-4)}` }; // the order's id in your shop
  const payment = await payments.transactions.createCard({ ...order, installments: 1, card: { hash } });
  const reason = payment.status === "refused" ? `: ${payment.refusedReason}` : "";
  console.log(`  Transaction ${payment.id}, ${formatBRL(payment.amount)}, is ${payment.status}${reason}`);
}

console.log("\nA pix");
const order = { amount, ...details, externalRef: "order-1", pix: { expiresInDays: 1 } };
const { id, status, pix } = await payments.transactions.createPix(order);
console.log(`  Transaction ${id}, ${formatBRL(amount)}, is ${status}: scan it, or copy and paste\n`);
console.log(`${renderUnicodeCompact(pix.qrcodeText, { border: 2 })}\n\n${pix.qrcodeText}\n`);
gateway.pay(id); // in the sandbox, this is what the buyer does
await postbacks.waitFor("order-1", { signal: AbortSignal.timeout(5_000) });

console.log("\nThe code is in examples/quickstart.ts. `npm run example` lists more examples,");
console.log("and `npx payments sandbox` starts a sandbox with a dashboard.");
await sandbox.close();
await receiver.close();
