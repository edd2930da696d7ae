/**
 * A card payment: approved, refused with its reason, or in analysis.
 *
 *   npm run example card
 *   npm run example card -- --amount 249,90 --installments 3 --scenario insufficient_limit
 */
import { formatBRL, PaymentsClient } from "payments-sdk";
import { CARD_FLAGS, CARD_NOTES, readCard } from "./support/card.ts";
import { example } from "./support/example.ts";
import { money, text, wholeNumber } from "./support/flags.ts";
import { customer, newReference } from "./support/order.ts";
import { POSTBACK_FLAGS, POSTBACK_NOTES, postbacksTo } from "./support/postback-url.ts";
import { showCard } from "./support/transactions.ts";

await example({
  name: "card",
  summary: "A card payment: approved, refused with its reason, or in analysis.",
  flags: {
    amount: money("19,90", "what it costs"),
    installments: wholeNumber("<number>", "in how many parts it is paid (default: 1)", [1, 99]),
    ref: text("<reference>", "your own name of the order (default: a new one)"),
    ...CARD_FLAGS,
    ...POSTBACK_FLAGS,
  },
  charges: true,
  notes: `${CARD_NOTES}\n${POSTBACK_NOTES}`,
  async run({ flags, connect, mayCharge, announce, tell, say }) {
    const { amount, installments = 1, ref: externalRef = newReference() } = flags;
    const card = await readCard(flags);
    const service = await connect();
    const { baseUrl, secretKey, publicKey } = service;
    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey },
      ...postbacksTo(service, flags["postback-url"]),
    });
    if (!(await mayCharge(service, `A card would be charged ${formatBRL(amount)}.`))) {
      return say("\nNothing was charged.");
    }

    // In a shop the buyer's page does this, and your server is sent the token.
    const token = await payments.cardTokens.create(card);
    announce(externalRef);
    const transaction = await payments.transactions.createCard({
      amount,
      customer,
      externalRef,
      installments,
      card: { hash: token },
      items: [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }],
      ip: "203.0.113.7",
      metadata: { cart: externalRef },
      traceable: true,
    });

    tell(transaction, showCard);
  },
});
