/**
 * A pix with its QR code in the terminal, until it is paid.
 *
 *   npm run example pix
 *
 * Runs in sandboxes only: its own, or the one on this machine that the environment names. PORT is where it takes
 * postbacks (default: any free port).
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
  onPostback({ status, amount }, { amountMatches }) {
    if (status === "pending" || status === "processing") return; // it can still be paid
    end(amountMatches ? status : `${status} with ${formatBRL(amount)}: look into the dashboard`);
  },
});
const receiver = await listen(postbacks.node, Number(env["PORT"] ?? 0));
const postbackUrl = receiver.url;
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner });
await payments.status.assertEnvironment("sandbox"); // nobody pays this code by mistake

const { id, amount, status, pix, secureUrl } = await payments.transactions.createPix({
  amount: 1990, // cents: R$ 19,90
  customer: {
    name: "Maria Exemplo",
    email: "maria@example.com",
    phone: "11999998888",
    document: { type: "cpf", number: "529.982.247-25" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  externalRef: `order-${Date.now()}`, // the id of the order in your shop
  ip: "203.0.113.7", // of the buyer
  metadata: {},
  traceable: true,
  pix: { expiresInDays: 1 },
});
console.log(renderUnicodeCompact(pix.qrcodeText, { border: 2 }));
console.log(`\n${pix.qrcodeText}\n`);
console.log(
  `Transaction ${id}, ${formatBRL(amount)}, is ${status} until ${pix.expirationDate ?? "its end"}.`,
);
console.log(`Pay it on ${secureUrl ?? baseUrl} (Ctrl-C ends the wait).`);

// A transaction cannot be looked up: its postback is the only report.
console.log(`It is ${await ended}.`);
await close();
await receiver.close();
