/**
 * A card payment: approved, refused with a reason, or processing.
 *
 *   npm run example card
 *   npm run example card insufficient_limit
 *
 * docs/sandbox.md lists the scenarios. Runs only against a sandbox: its own, or the one in the environment variables.
 */
import { argv } from "node:process";
import { CardTokenizer, formatBRL, isPaymentsError, PaymentsClient } from "payments-sdk";
import { TEST_CARDS } from "payments-sdk/sandbox";
import { connect } from "./support/service.ts";

const scenario = argv[2] ?? "approved";
const card = TEST_CARDS.find((known) => known.scenario === scenario);
if (card === undefined) throw new Error(`No test card is for "${scenario}".`);

const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;
const { baseUrl, secretKey, publicKey, close } = await connect();
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey });
await payments.status.assertEnvironment("sandbox"); // test cards do not work in production

try {
  // In a real shop, this runs in the buyer's page, with only the public key: card data never reaches your server.
  const token = await new CardTokenizer({ baseUrl, publicKey }).tokenize({
    number: card.number,
    holderName: customer.name,
    expirationMonth: 12,
    expirationYear: new Date().getFullYear() + 3,
    cvv: "123",
  });

  const payment = await payments.transactions.createCard({
    amount: 1990, // cents: R$ 19,90
    customer,
    externalRef: `order-${Date.now()}`, // your order ID
    installments: 1,
    card: { hash: token },
    items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
    ip: "203.0.113.7", // the buyer's IP address
    metadata: {},
    traceable: true,
    postbackUrl: `${baseUrl}/sandbox/inbox`, // your server
  });

  // A declined card is a result, not an error.
  const reason = payment.status === "refused" ? `: ${payment.refusedReason}` : "";
  console.log(`Transaction ${payment.id}, ${formatBRL(payment.amount)}, is ${payment.status}${reason}`);
} catch (error) {
  if (!isPaymentsError(error)) throw error;
  const advice = error.mayHaveCharged
    ? "Check the payment with the service before you try again."
    : "Not charged.";
  console.error(`${error.name}: ${error.message} ${advice}`);
  process.exitCode = 1;
}
await close();
