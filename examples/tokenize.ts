/**
 * A card becomes a token.
 *
 * In a shop the buyer's page does this, so that the number never meets your server.
 *
 *   npm run example tokenize
 *   npm run example tokenize -- --own-card < card.json
 */
import { CardTokenizer } from "payments-sdk";
import { CARD_FLAGS, CARD_NOTES, readCard } from "./support/card.ts";
import { example } from "./support/example.ts";
import { row } from "./support/terminal.ts";

await example({
  name: "tokenize",
  summary: "A card becomes a token. In a shop the buyer's page does this, with the public key alone.",
  flags: CARD_FLAGS,
  needs: ["PAYMENTS_BASE_URL", "PAYMENTS_PUBLIC_KEY"],
  notes: `${CARD_NOTES}\nOnly --json prints the token: until it expires, whoever has it and the keys can charge the card.`,
  async run({ flags, connect, tell }) {
    const card = await readCard(flags);
    const { baseUrl, publicKey } = await connect();
    const tokenizer = new CardTokenizer({ baseUrl, publicKey });

    const token = await tokenizer.tokenize(card);

    tell({ token, expiresAt: token.expiresAt }, () => {
      row("Token", String(token)); // says when it expires, and no more
      row(
        "Good for",
        `${Math.round((token.expiresAt.getTime() - Date.now()) / 1000)} s, for this account only`,
      );
    });
  },
});
