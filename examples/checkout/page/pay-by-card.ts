import {
  type CardToken,
  type CardTokenizer,
  isPaymentsError,
  type PaymentsError,
} from "payments-sdk/browser";
import { BUYER_FIELDS, problemsOf, readBuyer } from "./buyer.ts";
import { CARD_FIELDS, INPUT_OF, PROBLEMS, problemsOfCard, readCard } from "./card-fields.ts";
import { element } from "./dom.ts";
import { isEmpty, type Problems, showProblems } from "./fields.ts";
import { type Answer, postCard } from "./shop-api.ts";
import { textOfTokenization } from "./texts.ts";

const FIELDS = [...BUYER_FIELDS, ...CARD_FIELDS];

/** What came of it; or a text for the buyer, where the card did not become a token. */
export type CardAnswer =
  | Answer
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong_inputs" };

/** Turns the card into a token, here in the page, and gives the shop's server the token and nothing else. */
export async function payByCard(tokenizer: CardTokenizer, revision: number): Promise<CardAnswer> {
  const buyer = readBuyer();
  const card = readCard();
  const problems = { ...problemsOf(buyer), ...problemsOfCard(card) };
  showProblems(FIELDS, problems);
  if (!isEmpty(problems)) return { kind: "wrong_inputs" };

  const installments = Number(element("installments", HTMLSelectElement).value);
  const pay = async (seen: number) => {
    const token: CardToken = await tokenizer.tokenize(card);
    return postCard({ buyer, revision: seen, installments, token: token.value });
  };
  try {
    const answer = await pay(revision);
    // A token lives for five minutes. One that came too late charged nobody, so a new one may be sent.
    const tooLate = answer.kind === "refusal" && answer.refusal.code === "card_token_expired";
    return tooLate ? await pay(answer.order?.revision ?? revision) : answer;
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    showProblems(FIELDS, problemsIn(error));
    return { kind: "text", text: textOfTokenization(error) };
  }
}

/** What the SDK or the service found wrong with the card, by our inputs. */
function problemsIn(error: PaymentsError): Problems {
  if (!("issues" in error) || !Array.isArray(error.issues)) return {};
  const fields = error.issues
    .map(({ field }) => INPUT_OF[String(field)])
    .filter((field) => field !== undefined);
  return Object.fromEntries(
    CARD_FIELDS.filter((field) => fields.includes(field)).map((field) => [field, PROBLEMS[field]]),
  );
}
