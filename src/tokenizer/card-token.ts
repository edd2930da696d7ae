import { INSPECT } from "../data/own.ts";
import { CARD_TOKEN_LIFETIME_MS } from "../spec/limits.ts";
import { claimsOf } from "./token-claims.ts";

/** Not in private fields, because the console of a browser shows those. */
const values = new WeakMap<CardToken, string>();

// The constructor is the only way to create a token, and it sets the value.
const storedValue = (token: CardToken): string => values.get(token) as string;

/**
 * A token for a card. It is valid for one account and five minutes; the service does not store the card.
 *
 * `JSON.stringify` returns its value, so that the buyer's page can post it to the merchant's server; `console.log` does
 * not show it. The specification does not state that a token can be used only once.
 *
 * Spec: "Card token".
 */
export class CardToken {
  /** When it expires by this machine's clock: five minutes after it was received, or earlier if the token says so. */
  readonly expiresAt: Date;

  /**
   * @param value - The token as the service sent it.
   * @param receivedAt - When it was received. Default: now.
   */
  constructor(value: string, receivedAt: Date = new Date()) {
    values.set(this, value);
    this.expiresAt = new Date(receivedAt.getTime() + lifetimeMs(value));
  }

  /** The token itself, to be sent as `card.hash`. */
  get value(): string {
    return storedValue(this);
  }

  /** Whether it has expired, now or at the given time. */
  isExpired(now: Date | number = Date.now()): boolean {
    return Number(now) >= this.expiresAt.getTime();
  }

  /** The token itself, for `JSON.stringify`. */
  toJSON(): string {
    return storedValue(this);
  }

  /** When it expires, without the token. */
  toString(): string {
    return `CardToken { expires ${this.expiresAt.toISOString()} }`;
  }

  /** @internal */
  [INSPECT](): string {
    return this.toString();
  }
}

/** A duration instead of a date, because it is right even if the service's clock and this one differ. */
function lifetimeMs(token: string): number {
  const { iat = 0, exp = 0 } = claimsOf(token);
  return Math.min((exp > iat ? exp - iat : Infinity) * 1000, CARD_TOKEN_LIFETIME_MS);
}
