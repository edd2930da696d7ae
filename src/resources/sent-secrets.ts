import { parseIfJson } from "../data/json.ts";

/** Names of fields with card data, tokens and URLs that may contain credentials. */
const SECRET_NAME =
  /(?:number|c[cs]v2?|cv[cv]2|cvv|cvc|security_?code|hash|token|secret|password|api_?key|holder(?:_?name)?|callback|ur[il])s?$|^(?:card_?)?pan$/i;

/** A card number, under any name. */
const CARD_NUMBER = /^(?:\d[ .-]?){13,19}$/;

/** A shorter text occurs anywhere. */
const SHORTEST_SECRET = 3;

/**
 * The texts and numbers of a query or body that are secret, at any depth and in texts of JSON: a response may repeat
 * them.
 *
 * @internal
 */
export function findSentSecrets(value: unknown, isSecret = false, found = new Set<string>()): Set<string> {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      findSentSecrets(member, isSecret || SECRET_NAME.test(name), found);
    }
  } else if (typeof value === "string" || typeof value === "number") {
    const text = String(value).trim();
    if ((isSecret && text.length >= SHORTEST_SECRET) || CARD_NUMBER.test(text)) found.add(text);
    const inner = /^[{[]/.test(text) ? parseIfJson(text) : undefined;
    if (inner !== undefined) findSentSecrets(inner, isSecret, found);
  }
  return found;
}
