import { CardTokenizer } from "payments-sdk/browser";
import type { Sandbox } from "payments-sdk/sandbox/server";

/** The token of a card, as a page gets it. */
export async function tokenFor(
  { baseUrl, publicKey }: Pick<Sandbox, "baseUrl" | "publicKey">,
  number: string,
): Promise<string> {
  const card = { number, holderName: "MARIA", cvv: "123", expirationMonth: 12, expirationYear: 2039 };
  return (await new CardTokenizer({ baseUrl, publicKey }).tokenize(card)).value;
}
