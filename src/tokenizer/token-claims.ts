import { bare } from "../data/own.ts";

/** When a token was issued and when it expires, in seconds since 1970. Not verified, so never trust them. */
export interface TokenClaims {
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
}

/** The three parts of a JWT; the second has the claims. */
const JWT = /^[^.]+\.([^.]+)\.[^.]*$/;

/** The claims of a JWT; empty for an opaque token. Spec: "Card token"; it does not show the claims. */
export function claimsOf(token: string): TokenClaims {
  const [, payload] = JWT.exec(token) ?? [];
  if (payload === undefined) return {};
  try {
    // `atob` reads bytes instead of UTF-8, which changes only texts: no time is one.
    const json = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { iat, exp } = bare(JSON.parse(json) as Record<string, unknown>);
    return { iat: toTime(iat), exp: toTime(exp) };
  } catch {
    return {};
  }
}

/** A time in seconds that a `Date` can represent. Zero is a missing time, as many encoders write it. */
function toTime(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && value <= 8.64e12 ? value : undefined;
}
