/**
 * Two card payments, one approved and one refused, and a pix that is paid and heard of by its postback, through the
 * real client over real HTTP.
 *
 *   npm start
 *
 * Runs against the embedded sandbox, unless PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY and
 * PAYMENTS_PUBLIC_KEY name a service; then it asks before it charges anything.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { env, exit } from "node:process";
import {
  type CardTransaction,
  type CreateCardParams,
  formatBRL,
  isPaymentsError,
  PaymentsClient,
  type PixTransaction,
} from "payments-sdk";
import { createPostbackHandler, type PostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { connect, mayCharge, payInSandbox, type Service } from "./support/service.ts";
import { heading, qrCode, row, styled } from "./support/terminal.ts";

const APPROVED_CARD = "4111 1111 1111 1111";
const REFUSED_CARD = "4000 0000 0000 9995";
const AMOUNT = 1990; // cents: R$ 19,90
const POSTBACK_TIMEOUT_MS = 10_000;

const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;

async function payByCard(payments: PaymentsClient, number: string, externalRef: string) {
  // In a shop the buyer's page does this with CardTokenizer, so that the number never meets your server.
  const token = await payments.cardTokens.create({
    number,
    holderName: customer.name,
    expirationMonth: 12,
    expirationYear: new Date().getFullYear() + 3,
    cvv: "123",
  });
  const order: CreateCardParams = {
    amount: AMOUNT,
    customer,
    externalRef,
    installments: 1,
    card: { hash: token },
    items: [{ title: "Camiseta", unitPrice: AMOUNT, quantity: 1, tangible: true }],
    ip: "203.0.113.7",
    metadata: { cart: externalRef },
    traceable: true,
  };
  return payments.transactions.createCard(order);
}

function showCard(transaction: CardTransaction): void {
  row("Transaction", String(transaction.id));
  row("Amount", formatBRL(transaction.amount));
  // A declined card answers 201 like an approved one: the status tells.
  if (transaction.status === "refused") {
    row("Status", styled("red", "refused"));
    row("Reason", transaction.refusedReason);
  } else {
    row("Status", styled(transaction.status === "approved" ? "green" : "yellow", transaction.status));
  }
}

/** A server on this machine that takes postbacks; the sandbox can reach it. */
async function startReceiver(signer: PostbackUrlSigner): Promise<Receiver> {
  const handler = createPostbackHandler({
    signer,
    // Runs to success once, however often the postback comes.
    onPostback(postback, { trust, transition }) {
      row("Postback", `transaction ${postback.id}, ${formatBRL(postback.amount)}, ${trust}`);
      row("Order", postback.externalRef ?? "unknown");
      row("Status", `${styled("green", postback.status)}, ${transition}`);
    },
  });
  const server = createServer(handler.node).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/postbacks`, handler, close: () => server.close() };
}

interface Receiver {
  readonly url: string;
  readonly handler: PostbackHandler;
  close(): void;
}

function showPix({ id, amount, status, pix }: PixTransaction): void {
  row("Transaction", String(id));
  row("Amount", formatBRL(amount));
  row("Status", styled("yellow", status));
  row("Expires", pix.expirationDate ?? "unknown");
  console.log();
  qrCode(pix.qrcodeText);
  // On a line of its own and not moved in, so that a terminal copies it whole.
  console.log(`\n  Copy and paste:\n\n${pix.qrcodeText}`);
}

async function run(service: Service, receiver: Receiver, signer: PostbackUrlSigner): Promise<void> {
  const { baseUrl, secretKey, publicKey, isSandbox } = service;
  // Only a sandbox reaches this machine, and only its URL needs the signature that is verified here.
  const elsewhere = env["PAYMENTS_POSTBACK_URL"] || "https://shop.example.com/postbacks";
  const postbacks = isSandbox
    ? { postbackUrl: receiver.url, postbackSigner: signer }
    : { postbackUrl: elsewhere };
  const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, ...postbacks });
  const health = await payments.status.retrieve();
  for (const notice of service.notices) console.log(`  ${notice}\n`);
  row("Service", service.embedded ? `embedded sandbox, ${baseUrl}` : baseUrl);
  row("Health", `${health.status ?? "unknown"}, environment ${health.environment ?? "unknown"}`);

  const question = `Two card payments and a pix of ${formatBRL(AMOUNT)} each would be created.`;
  if (!(await mayCharge(service, question))) {
    console.log("\nNothing was charged.");
    return;
  }
  const order = `order-${Date.now()}`;

  heading(`1. A card payment with ${APPROVED_CARD}`);
  showCard(await payByCard(payments, APPROVED_CARD, `${order}-a`));

  heading(`2. A card payment with ${REFUSED_CARD}`);
  showCard(await payByCard(payments, REFUSED_CARD, `${order}-b`));

  heading("3. A pix");
  const externalRef = `${order}-c`;
  const pix = await payments.transactions.createPix({
    amount: AMOUNT,
    customer,
    externalRef,
    pix: { expiresInDays: 1 },
  });
  showPix(pix);

  if (isSandbox) {
    heading("4. The pix is paid, and its postback comes");
    await payInSandbox(service, pix.id);
    const signal = AbortSignal.timeout(POSTBACK_TIMEOUT_MS);
    const came = await receiver.handler.waitFor(externalRef, { signal }).catch(() => undefined);
    if (came === undefined) console.log(`  No postback came: can the sandbox reach ${receiver.url}?`);
  }

  heading("What next");
  console.log("  Read examples/quickstart.ts: this is all the code that it took.");
  console.log("  Run `npx payments-sandbox`, and pay a pix on its dashboard.");
  console.log("  The README tells what to do when an answer does not come.");
}

console.log(styled("bold", "payments-sdk quickstart\n"));
const service = await connect();
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
const receiver = await startReceiver(signer);
try {
  await run(service, receiver, signer);
} catch (error) {
  if (!isPaymentsError(error)) throw error;
  console.error(`\n${error.name}: ${error.message}`);
  exit(1);
} finally {
  receiver.close();
  await service.close();
}
