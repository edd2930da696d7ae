import { CARD_NUMBER_DIGITS, CARD_TOKEN_LIFETIME_MS } from "../../spec/limits.ts";
import { matching, object, required, text } from "../body-rules.ts";
import type { Clock } from "../clock.ts";
import type { Random } from "../random.ts";
import { validationError } from "../service-responses.ts";
import { type Card, type CardOutcome, findOutcome } from "./test-cards.ts";

/** The data of a token. The card itself is not stored. Spec: "Card token". */
interface StoredToken {
  readonly outcome: CardOutcome;
  /** Milliseconds since 1970, by the gateway's clock. */
  readonly expiresAt: number;
}

export type CardTokens = ReturnType<typeof createCardTokens>;

const { min, max } = CARD_NUMBER_DIGITS;

/** Spec: "POST /api/v1/card-token". The Luhn check is not a rule: published test cards fail it. */
const validateCard = object({
  number: required(matching(new RegExp(`^\\d{${min},${max}}$`), `Must be ${min} to ${max} digits`)),
  holderName: required(text),
  expirationMonth: required(matching(/^(?:0[1-9]|1[0-2])$/, "Must be a month as MM, 01 to 12")),
  expirationYear: required(matching(/^\d{4}$/, "Must be a year as YYYY")),
  cvv: required(matching(/^\d{3,4}$/, "Must be 3 or 4 digits")),
});

/** POST /api/v1/card-token: a 400 with all problems, or the token as plain text. */
export function handleCreateCardToken(body: unknown, tokens: CardTokens): Response {
  const problems = validateCard(body, "");
  if (problems.length > 0) return validationError(problems);

  // The validation above checks this shape.
  return new Response(tokens.issue(body as Card));
}

/** The card tokens that a gateway has issued. @param publicKey of the account; the subject of every token. */
export function createCardTokens(clock: Clock, random: Random, publicKey: string) {
  const stored = new Map<string, StoredToken>();

  return {
    /** @returns a string in JWT format. */
    issue(card: Card): string {
      const now = clock.now();
      const issuedAt = Math.floor(now / 1000);
      const token = [
        toSegment({ alg: "HS256", typ: "JWT" }),
        toSegment({
          sub: publicKey,
          jti: random.uuid(),
          iat: issuedAt,
          exp: issuedAt + CARD_TOKEN_LIFETIME_MS / 1000,
        }),
        // Random bytes instead of a signature: the gateway stores the tokens that it has issued.
        toBase64Url(random.bytes(32)),
      ].join(".");
      stored.set(token, { outcome: findOutcome(card, now), expiresAt: now + CARD_TOKEN_LIFETIME_MS });
      return token;
    },

    /**
     * Returns what is wrong with a token, or `undefined` if it is valid. A token can be used again: the
     * specification does not restrict it to one use.
     */
    problemWith(token: string): string | undefined {
      const entry = stored.get(token);
      if (entry === undefined) return "Is not a card token of this account";
      return clock.now() > entry.expiresAt ? "Has expired: a card token is valid for 5 minutes" : undefined;
    },

    /** The outcome of a payment with a token that `problemWith` accepted. */
    outcomeOf(token: string): CardOutcome {
      const entry = stored.get(token);
      if (entry === undefined) throw new Error("The card token was not issued by this gateway.");
      return entry.outcome;
    },
  };
}

function toSegment(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
