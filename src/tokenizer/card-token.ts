import { INSPECT, withoutPrototype } from "../data/own-properties.ts";
import { CARD_TOKEN_LIFETIME_MS } from "../spec/limits.ts";

/** Not in private fields, because the console of a browser shows those. */
const values = new WeakMap<CardToken, string>();

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
    // A duration, because it is right even if the service's clock and this one differ.
    const { iat = 0, exp = 0 } = claimsOf(value);
    const lifetimeMs = Math.min(exp > iat ? (exp - iat) * 1000 : Infinity, CARD_TOKEN_LIFETIME_MS);
    this.expiresAt = new Date(receivedAt.getTime() + lifetimeMs);
  }

  /** The token itself, to be sent as `card.hash`. */
  get value(): string {
    return values.get(this) as string; // set by the constructor
  }

  /** Whether it has expired, now or at the given time. */
  isExpired(now: Date | number = Date.now()): boolean {
    return Number(now) >= this.expiresAt.getTime();
  }

  /** The token itself, for `JSON.stringify`. */
  toJSON(): string {
    return this.value;
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

/**
 * When a JWT was issued and when it expires, in seconds since 1970; empty for an opaque token. Not verified, so never
 * trust them. Spec: "Card token"; it does not show the claims.
 */
export function claimsOf(token: string): { iat?: number | undefined; exp?: number | undefined } {
  try {
    const [, payload = ""] = /^[^.]+\.([^.]+)\.[^.]*$/.exec(token) ?? [];
    // `atob` reads bytes instead of UTF-8, which changes only texts: no time is one.
    const json = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { iat, exp } = withoutPrototype(JSON.parse(json) as Record<string, unknown>);
    // Zero is a missing time, as many encoders write it. No `Date` can represent a time above 8.64e12.
    const toTime = (time: unknown) =>
      typeof time === "number" && time > 0 && time <= 8.64e12 ? time : undefined;
    return { iat: toTime(iat), exp: toTime(exp) };
  } catch {
    return {};
  }
}
