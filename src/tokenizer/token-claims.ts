import { decodeJwt } from "jose/jwt/decode";
import { bare } from "../data/own.ts";

/** When a token was issued and when it expires, in seconds since 1970. Not verified, so never trust them. */
export interface TokenClaims {
  readonly iat?: number;
  readonly exp?: number;
}

/** Checked first, because decoding an opaque token would create an error with a stack, which is slow. */
const JWT = /^[^.]+\.[^.]+\.[^.]*$/;

/** The claims of a JWT; empty for an opaque token. Spec: "Card token"; it does not show the claims. */
export function claimsOf(token: string): TokenClaims {
  if (!JWT.test(token)) return {};
  try {
    const { iat, exp } = bare(decodeJwt(token));
    return { ...(isTime(iat) && { iat }), ...(isTime(exp) && { exp }) };
  } catch {
    return {};
  }
}

/** Whether a value is a time in seconds that a `Date` can represent. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e12;
}
