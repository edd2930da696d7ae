import { CARD_TOKEN_LIFETIME_MS } from "../spec/limits.ts";
import { type CardOutcome, outcomeOf } from "./card-outcomes.ts";
import type { CardRequest } from "./card-rules.ts";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** What a token stands for. The card itself is not kept. Spec: "Card token". */
interface KnownToken {
  readonly outcome: CardOutcome;
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly expiresAt: number;
}

/** The tokens of one account: one that was issued elsewhere is not known here. */
export interface CardTokens {
  /** @returns a string in JWT format. */
  issue(card: CardRequest): string;
  /**
   * What is wrong with a token, or `undefined` for a good one. A token may be used again: the
   * specification does not say that it can be used once only.
   */
  problemWith(token: string): string | undefined;
  /** What a token that {@link problemWith} found good will come to. */
  outcomeOf(token: string): CardOutcome;
}

/** @param publicKey the account's, in the token as its subject. */
export function createCardTokens(clock: Clock, random: Random, publicKey: string): CardTokens {
  const known = new Map<string, KnownToken>();

  return {
    issue(card) {
      const now = clock.now();
      const issuedAt = Math.floor(now / 1000);
      const token = [
        segment({ alg: "HS256", typ: "JWT" }),
        segment({
          sub: publicKey,
          jti: random.uuid(),
          iat: issuedAt,
          exp: issuedAt + CARD_TOKEN_LIFETIME_MS / 1000,
        }),
        // No signature to check: the gateway knows a token by having issued it.
        base64Url(random.bytes(32)),
      ].join(".");
      known.set(token, { outcome: outcomeOf(card, now), expiresAt: now + CARD_TOKEN_LIFETIME_MS });
      return token;
    },

    problemWith(token) {
      const entry = known.get(token);
      if (entry === undefined) return "Is no card token of this account";
      return clock.now() > entry.expiresAt ? "Has expired: a card token is valid for 5 minutes" : undefined;
    },

    outcomeOf(token) {
      const entry = known.get(token);
      if (entry === undefined) throw new Error("The card token was not issued by this gateway.");
      return entry.outcome;
    },
  };
}

function segment(value: object): string {
  return base64Url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
