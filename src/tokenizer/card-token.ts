import { INSPECT, isRecord, withoutPrototype } from "../data/own-properties.ts";
import type { TokenExpiry } from "../errors/usage-errors.ts";
import type { Call } from "../http/call.ts";
import { unexpectedResponse } from "../http/error-for-status.ts";
import type { RawResponse } from "../http/response.ts";
import { CLOCK_TOLERANCE_MS } from "../http/timers.ts";
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
function claimsOf(token: string): { iat?: number | undefined; exp?: number | undefined } {
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

/**
 * When a card token expired; `undefined` if it may be valid. A token that is text is valid for five minutes after its
 * `iat`, even if its `exp` is later. Spec: "POST /api/v1/transactions", rule 3.
 */
export function findExpiry(hash: unknown): TokenExpiry | undefined {
  if (isRecord(hash)) {
    // Not by its class: the token may be from another copy of the package.
    const { expiresAt } = hash;
    const hasExpired = expiresAt instanceof Date && expiresAt.getTime() <= Date.now();
    return hasExpired ? { expiredAt: expiresAt, clock: "machine" } : undefined;
  }
  const { iat, exp = Infinity } = typeof hash === "string" ? claimsOf(hash) : {};
  const expiresAt = Math.min(exp, (iat ?? Infinity) + CARD_TOKEN_LIFETIME_MS / 1000) * 1000;
  // The clocks of this machine and of the service may differ.
  if (!(expiresAt + CLOCK_TOLERANCE_MS < Date.now())) return undefined;
  const issuedAt = iat === undefined ? undefined : new Date(iat * 1000);
  return { expiredAt: new Date(expiresAt), clock: "service", issuedAt };
}

/** What is JSON and no token: an object, an array, a quoted text, a number or a keyword. Real tokens are longer. */
const JSON_DATA = /^(?:[{["].*|null|true|false|undefined|-?\d{1,20}(?:\.\d+)?)$/s;

/**
 * The token in a response: HTML, JSON data and an empty body are not tokens. JSON quotes around a token are removed.
 *
 * Spec: "POST /api/v1/card-token".
 */
export function parseToken(call: Call, response: RawResponse): CardToken {
  const text = response.text.trim();
  const value = text.startsWith('"') ? unquote(text) : text;
  // A token is one word of visible ASCII characters.
  const isToken = /^[!-~]+$/.test(value) && !value.startsWith("<") && !JSON_DATA.test(value);
  if (isToken && !response.isTruncated) {
    if (value !== text) call.reportDrift([{ field: "", message: "is quoted as JSON" }]);
    return new CardToken(value);
  }
  const kind = JSON_DATA.test(text) ? "JSON" : text.startsWith("<") ? "a page" : "text";
  const body = text === "" || text === '""' ? "empty" : kind;
  const message = response.isTruncated ? "the body is too long" : `the body is ${body}, not a token`;
  throw unexpectedResponse(call, response, { issues: [{ field: "", message }] });
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text)).trim(); // JSON that starts with a quote is a string
  } catch {
    return "";
  }
}
