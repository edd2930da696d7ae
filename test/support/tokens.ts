/** Card tokens for the tests: JWTs without a valid signature. */

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A JWT with these claims, as the service might send it. */
export function aJwt(claims: object): string {
  return `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Seconds since 1970, as JWTs count them. */
export const inSeconds = (date: Date | number): number => Math.floor(Number(date) / 1000);
