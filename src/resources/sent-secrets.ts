import { parseIfJson } from "../data/json.ts";
import { hasLuhnDigit } from "../spec/luhn.ts";

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
 * @internal
 */
export function findSentSecrets(value: unknown): Set<string> {
  const found = new Set<string>();
  addSecrets(found, value, false, MAX_DEPTH);
  return found;
}

/** @param isSecret - Whether the value has such a name, or is inside one that has. */
function addSecrets(found: Set<string>, value: unknown, isSecret: boolean, depthLeft: number): void {
  if (depthLeft === 0) return;
  if (typeof value !== "string" && typeof value !== "number") {
    for (const [name, member] of Object.entries(value ?? {})) {
      addSecrets(found, member, isSecret || SECRET_NAME.test(name), depthLeft - 1);
    }
    return;
  }
  const text = String(value).trim();
  const isNumber = CARD_NUMBER.test(text) && (isSecret || hasLuhnDigit(text.replaceAll(/\D/g, "")));
  // A response may repeat a number without its separators, or with others.
  if (isNumber) found.add(text.replaceAll(/\D/g, ""));
  else if (isSecret && text.length >= SHORTEST_SECRET) found.add(text);
  if (/^[{[]/.test(text)) addSecrets(found, parseIfJson(text), isSecret, depthLeft - 1);
}
