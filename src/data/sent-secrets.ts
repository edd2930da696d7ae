import { hasLuhnDigit } from "../spec/check-digits.ts";
import { parseIfJson } from "./json.ts";

/** Names of fields with card data, tokens and URLs that may contain credentials. */
const SECRET_NAME =
  /(?:number|c[cs]v2?|cv[cv]2|cvv|cvc|security_?code|hash|token|secret|password|(?:api|secret|access)_?key|authorization|holder(?:_?name)?|callback|ur[il])s?$|^(?:card_?)?pan$/i;

/** What may be a card number, under any name. */
const CARD_NUMBER = /^(?:\d[\s._-]{0,3}){13,19}$/;

/** A shorter text occurs anywhere. */
const SHORTEST_SECRET = 3;

/** A text of JSON can be nested so deeply that following it would overflow the stack. */
const MAX_DEPTH = 200;

/**
 * The texts and numbers of a query or body that are secret, at any depth and in texts of JSON: a response may repeat
 * them.
 *
 * @param isSecret - Whether the value has the name of a secret, or is inside a value that has.
 */
export function* findSentSecrets(value: unknown, isSecret = false, depthLeft = MAX_DEPTH): Iterable<string> {
  if (depthLeft === 0) return;
  if (typeof value !== "string" && typeof value !== "number") {
    for (const [name, member] of Object.entries(value ?? {})) {
      yield* findSentSecrets(member, isSecret || SECRET_NAME.test(name), depthLeft - 1);
    }
    return;
  }
  const text = String(value).trim();
  const digits = text.replaceAll(/\D/g, "");
  // A response may repeat a number without its separators, or with others.
  if (CARD_NUMBER.test(text) && (isSecret || hasLuhnDigit(digits))) yield digits;
  else if (isSecret && text.length >= SHORTEST_SECRET) yield text;
  if (/^[{[]/.test(text)) yield* findSentSecrets(parseIfJson(text), isSecret, depthLeft - 1);
}
