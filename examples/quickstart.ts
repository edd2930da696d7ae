/**
 * Two card payments, and a pix that is heard of by its postback.
 *
 *   npm start
 *
 * Runs against the embedded sandbox, unless PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY and
 * PAYMENTS_PUBLIC_KEY name a service; then it asks before it charges anything. It pays with test cards, so
 * that it runs in no production.
 */
import { formatBRL, PaymentsClient } from "payments-sdk";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { example } from "./support/example.ts";
import { Failure } from "./support/failure.ts";
import { customer, newReference } from "./support/order.ts";
import { POSTBACK_FLAGS, POSTBACK_NOTES, postbacksTo, signerOf } from "./support/postback-url.ts";
import { listen } from "./support/receiver.ts";
import { payInSandbox } from "./support/service.ts";
import { row, statusText, styled } from "./support/terminal.ts";
import { showCard, showPix } from "./support/transactions.ts";

const APPROVED_CARD = "4111 1111 1111 1111";
const REFUSED_CARD = "4000 0000 0000 9995";
const AMOUNT = 1990; // cents: R$ 19,90
const POSTBACK_TIMEOUT_MS = 5_000;

async function payByCard(payments: PaymentsClient, number: string, externalRef: string) {
  // In a shop the buyer's page does this with CardTokenizer, so that the number never meets your server.
  const token = await payments.cardTokens.create({
    number,
    holderName: customer.name,
    expirationMonth: 12,
    expirationYear: new Date().getFullYear() + 3,
    cvv: "123",
  });
  return payments.transactions.createCard({
    amount: AMOUNT,
    customer,
    externalRef,
    installments: 1,
    card: { hash: token },
    items: [{ title: "Camiseta", unitPrice: AMOUNT, quantity: 1, tangible: true }],
    ip: "203.0.113.7",
    metadata: { cart: externalRef },
    traceable: true,
  });
}

await example({
  name: "quickstart",
  summary:
    "Two card payments, one approved and one refused, and a pix that is paid and heard of by its postback.",
  flags: POSTBACK_FLAGS,
  charges: true,
  notes: `${POSTBACK_NOTES}\nIt pays with test cards, and runs in no production.\nWith --json each step is a line.`,
  async run({ flags, connect, mayCharge, announce, tell, say, onEnd }) {
    say(styled("bold", "payments-sdk quickstart\n"));
    const service = await connect();
    const { baseUrl, secretKey, publicKey, isSandbox } = service;

    const signer = signerOf(service);
    const handler = createPostbackHandler({
      signer,
      // Runs to success once, however often the postback comes.
      onPostback(postback, { trust, transition }) {
        tell({ step: "postback", trust, transition, postback }, () => {
          row("Postback", `transaction ${postback.id}, ${formatBRL(postback.amount)}, ${trust}`);
          row("Order", postback.externalRef ?? "unknown");
          row("Status", `${statusText(postback.status)}, ${transition}`);
        });
      },
    });
    const receiver = await listen(handler);
    onEnd(() => receiver.close());

    // Only a sandbox reaches this machine.
    const elsewhere = flags["postback-url"];
    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey },
      ...postbacksTo(service, elsewhere, { postbackUrl: receiver.url, postbackSigner: signer }),
    });
    const { status = "unknown", environment = "unknown" } = await payments.status.retrieve();
    tell({ step: "status", status, environment }, () =>
      row("Health", `${status}, environment ${environment}`),
    );
    if (environment !== "sandbox") {
      const instead = "`npm run example card -- --own-card` charges one of yours";
      throw new Failure(
        `Nothing was charged: test cards are no cards of environment ${environment}; ${instead}.`,
      );
    }

    const question = `Two card payments and a pix of ${formatBRL(AMOUNT)} each would be created.`;
    if (!(await mayCharge(service, question))) return say("\nNothing was charged.");
    const order = newReference();

    say(styled("bold", `\n1. A card payment with ${APPROVED_CARD}`));
    announce(`${order}-a`);
    const approved = await payByCard(payments, APPROVED_CARD, `${order}-a`);
    tell({ step: "approved_card", transaction: approved }, () => showCard(approved));

    say(styled("bold", `\n2. A card payment with ${REFUSED_CARD}`));
    announce(`${order}-b`);
    const refused = await payByCard(payments, REFUSED_CARD, `${order}-b`);
    tell({ step: "refused_card", transaction: refused }, () => showCard(refused));

    say(styled("bold", "\n3. A pix"));
    const externalRef = `${order}-c`;
    announce(externalRef);
    const pix = await payments.transactions.createPix({
      amount: AMOUNT,
      customer,
      externalRef,
      pix: { expiresInDays: 1 },
    });
    tell({ step: "pix", transaction: pix }, () => showPix(pix));

    if (isSandbox && elsewhere === undefined) {
      say(styled("bold", "\n4. The pix is paid, and its postback comes"));
      await payInSandbox(service, pix.id);
      const signal = AbortSignal.timeout(POSTBACK_TIMEOUT_MS);
      const came = await handler.waitFor(externalRef, { signal }).catch(() => undefined);
      if (came === undefined) say(`  No postback came: can the sandbox reach ${receiver.url}?`);
    }

    say(styled("bold", "\nWhat next"));
    say("  Read examples/quickstart.ts: this is all the code that it took.");
    say("  Run `npx payments-sandbox`, and pay a pix on its dashboard.");
    say("  The README tells what to do when an answer does not come.");
  },
});
