import { decodeJwt } from "jose/jwt/decode";
import { bare } from "../data/own.ts";

/** What a token says of its own life, in seconds since 1970. Read, never trusted: nothing is verified. */
export interface TokenClaims {
  readonly iat?: number;
  readonly exp?: number;
}

/** Without a look at it, every opaque token would cost an error and its stack. */
const JWT = /^[^.]+\.[^.]+\.[^.]*$/;

/** The claims of a JWT; none for a token that is opaque. Spec: "Card token"; its claims are not shown. */
export function claimsOf(token: string): TokenClaims {
  if (!JWT.test(token)) return {};
  try {
    const { iat, exp } = bare(decodeJwt(token));
    return {
      ...(isTime(iat) && { iat }),
      ...(isTime(exp) && { exp }),
    };
  } catch {
    return {};
  }
}

/** Seconds that a date can hold. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 8.64e12;
}
