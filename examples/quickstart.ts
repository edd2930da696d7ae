/**
 * A pix and two card payments, one approved and one refused, through the real client over real HTTP.
 *
 *   npm start
 *
 * Runs against the embedded sandbox, unless PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY and
 * PAYMENTS_PUBLIC_KEY name a service; then it asks before it charges anything.
 */
import { env, exit } from "node:process";
import {
  type CardTransaction,
  type CreateCardParams,
  formatBRL,
  isPaymentsError,
  PaymentsClient,
} from "payments-sdk";
import { connect, mayCharge, type Service } from "./support/service.ts";
import { heading, qrCode, row, styled } from "./support/terminal.ts";

const APPROVED_CARD = "4111 1111 1111 1111";
const REFUSED_CARD = "4000 0000 0000 9995";
const AMOUNT = 1990; // cents: R$ 19,90

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

async function run(service: Service): Promise<void> {
  const payments = new PaymentsClient({
    baseUrl: service.baseUrl,
    secretKey: service.secretKey,
    publicKey: service.publicKey,
    postbackUrl: env["PAYMENTS_POSTBACK_URL"] || service.postbackUrl,
  });
  const health = await payments.status.retrieve();
  for (const notice of service.notices) console.log(`  ${notice}\n`);
  row("Service", service.embedded ? `embedded sandbox, ${service.baseUrl}` : service.baseUrl);
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
  const pix = await payments.transactions.createPix({
    amount: AMOUNT,
    customer,
    externalRef: `${order}-c`,
    pix: { expiresInDays: 1 },
  });
  row("Transaction", String(pix.id));
  row("Amount", formatBRL(pix.amount));
  row("Status", styled("yellow", pix.status));
  row("Expires", pix.pix.expirationDate ?? "unknown");
  console.log();
  qrCode(pix.pix.qrcodeText);
  // On a line of its own and not moved in, so that a terminal copies it whole.
  console.log(`\n  Copy and paste:\n\n${pix.pix.qrcodeText}`);

  heading("What next");
  console.log("  Read examples/quickstart.ts: this is all the code that it took.");
  console.log("  Run `npx payments-sandbox`, and pay a pix on its dashboard.");
  console.log("  The README tells what to do when an answer does not come.");
}

console.log(styled("bold", "payments-sdk quickstart\n"));
const service = await connect();
try {
  await run(service);
} catch (error) {
  if (!isPaymentsError(error)) throw error;
  console.error(`\n${error.name}: ${error.message}`);
  exit(1);
} finally {
  await service.close();
}
