/**
 * Receives postbacks: new, duplicate, late and forged ones. Prints each as a line of JSON.
 *
 *   npm run example postbacks
 *   PORT=3001 PAYMENTS_POSTBACK_SECRET=... npm run -s example postbacks > postbacks.jsonl
 *
 * With PORT, it receives postbacks of your account until Ctrl-C. Without PORT, a sandbox sends some.
 */
import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { PaymentsClient } from "payments-sdk";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { listen } from "./support/receiver.ts";

const port = env["PORT"];
const secret = port === undefined ? randomBytes(32) : (env["PAYMENTS_POSTBACK_SECRET"] ?? "");
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

const print = (line: object) => console.log(JSON.stringify(line));
/** Not `raw`: it may repeat the signed URL, which is a credential. */
const known = ({ id, status, externalRef, amount }: Postback) => ({ id, status, externalRef, amount });
const handler = createPostbackHandler({
  signer,
  onPaid: ({ externalRef }) => console.error(`${externalRef} is paid`), // a real shop ships it here
  onReview: ({ externalRef }, { reason }) => console.error(`Check ${externalRef}: ${reason}`),
  onEvent(event) {
    if (event.type === "handled")
      print({ result: "handled", callback: event.callback ?? "none", postback: known(event.postback) });
    if (event.type === "duplicate") print({ result: "duplicate", postback: known(event.postback) });
    if (event.type === "refused")
      print({ result: "refused", answer: event.status, reason: event.error.message });
  },
});
const receiver = await listen(handler.node, Number(port ?? 0));
console.error(`Listening at ${receiver.url}`);
if (port === undefined) await playASandbox();

async function playASandbox(): Promise<void> {
  // Each postback is sent twice, and the first status arrives after the second.
  const sandbox = await startSandbox({ postbacks: { onCreation: true, reorder: true, duplicates: 1 } });
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  const postbackUrl = receiver.url;
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, postbackUrl, postbackSigner: signer });
  const document = { type: "cpf", number: "52998224725" } as const;
  const pix = await payments.transactions.createPix({
    amount: 1990,
    customer: { name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888", document },
    items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
    externalRef: "order-1",
    ...{ ip: "203.0.113.7", metadata: {}, traceable: true, pix: { expiresInDays: 1 } },
  });
  gateway.pay(pix.id);
  await handler.waitFor("order-1", { status: "pending", signal: AbortSignal.timeout(10_000) });
  await gateway.settled();
  // Anyone can post to this URL, but only someone with the key can sign it.
  const forged = JSON.stringify({ id: pix.id, status: "approved", externalRef: "order-2", amount: 1990 });
  await fetch(receiver.url, { method: "POST", body: forged });
  await sandbox.close();
  await receiver.close();
}
