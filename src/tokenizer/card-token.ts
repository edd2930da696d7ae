import { INSPECT } from "../data/own.ts";
import { CARD_TOKEN_LIFETIME_MS } from "../spec/limits.ts";
import { claimsOf } from "./token-claims.ts";

/** Outside of the tokens, because the console of a browser shows private fields, too. */
const VALUES = new WeakMap<CardToken, string>();

// Only the constructor makes tokens, and it leaves a value.
const textOf = (token: CardToken): string => VALUES.get(token) as string;

/**
 * A card in the service's keeping, good for one account and for five minutes.
 *
 * `JSON.stringify` gives its value, because that is how it travels from the buyer's page to the merchant's
 * server; printing it does not. The specification does not say that a token can be used only once.
 *
 * Spec: "Card token".
 */
export class CardToken {
  /** When it ends, by this machine's clock: its own span, or five minutes, from its receipt. */
  readonly expiresAt: Date;

  /**
   * @param value - The token as the service sent it.
   * @param receivedAt - When it came. Default: now.
   */
  constructor(value: string, receivedAt: Date = new Date()) {
    VALUES.set(this, value);
    this.expiresAt = new Date(receivedAt.getTime() + lifetimeOf(value));
  }

  /** The token itself, to be sent as `card.hash`. */
  get value(): string {
    return textOf(this);
  }

  /** Whether its life is over, now or at another time. */
  isExpired(now: Date | number = Date.now()): boolean {
    return Number(now) >= this.expiresAt.getTime();
  }

  /** The token itself, because that is how it travels. */
  toJSON(): string {
    return textOf(this);
  }

  /** When it expires, and not the token. */
  toString(): string {
    return `CardToken { expires ${this.expiresAt.toISOString()} }`;
  }

  /** @internal */
  [INSPECT](): string {
    return this.toString();
  }
}

/** A span, not a date: that of a clock which is wrong is still right. */
function lifetimeOf(token: string): number {
  const { iat, exp } = claimsOf(token);
  const span = iat !== undefined && exp !== undefined ? (exp - iat) * 1000 : 0;
  return span > 0 && span <= LONGEST_SPAN_MS ? span : CARD_TOKEN_LIFETIME_MS;
}

/** A longer span than a day is no span of a card token. */
const LONGEST_SPAN_MS = 24 * 60 * 60_000;
