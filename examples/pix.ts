/**
 * Shows the QR code of a pix in the terminal, and waits until it is paid.
 *
 *   npm run example pix
 *
 * Runs only against a sandbox: its own, or the one in the environment variables, on this machine. PORT is the port that
 * receives postbacks (default: any free port).
 */
import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { formatBRL, PaymentsClient } from "payments-sdk";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { renderUnicodeCompact } from "uqr";
import { listen } from "./support/receiver.ts";
import { connect } from "./support/service.ts";

const { baseUrl, secretKey, publicKey, close } = await connect();
const postbackSigner = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });

let end: (status: string) => void = () => undefined;
const ended = new Promise<string>((resolve) => {
  end = resolve;
});
const postbacks = createPostbackHandler({
  signer: postbackSigner,
  onPaid: ({ status }) => end(status),
  onNotPaid: ({ status }) => end(status),
  onReview({ status, amount }, { reason }) {
    end(`${status} with ${formatBRL(amount)} (${reason}): check it with the service`);
  },
});
const receiver = await listen(postbacks.node, Number(env["PORT"] ?? 0));
const postbackUrl = receiver.url;
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner });
await payments.status.assertEnvironment("sandbox"); // so that no one pays this code by mistake

const { id, amount, status, pix, secureUrl } = await payments.transactions.createPix({
  amount: 1990, // cents: R$ 19,90
  customer: {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11999998888",
    document: { type: "cpf", number: "529.982.247-25" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  externalRef: `order-${Date.now()}`, // your order ID
  ip: "203.0.113.7", // the buyer's IP address
  metadata: {},
  traceable: true,
  pix: { expiresInDays: 1 },
});
console.log(renderUnicodeCompact(pix.qrcodeText, { border: 2 }));
console.log(`\n${pix.qrcodeText}\n`);
console.log(
  `Transaction ${id}, ${formatBRL(amount)}, is ${status} until ${pix.expirationDate ?? "it expires"}.`,
);
console.log(`Pay it at ${secureUrl ?? baseUrl} (Ctrl-C to stop).`);

// No endpoint returns a transaction: only its postback reports the new status.
console.log(`It is ${await ended}.`);
await close();
await receiver.close();
