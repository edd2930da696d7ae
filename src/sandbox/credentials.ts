import type { AuthScheme } from "../spec/endpoints.ts";
import { PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";

/** The two keys of an account. Spec: "Authentication", rule 1. */
export interface Keys {
  readonly secretKey: string;
  readonly publicKey: string;
}

/** Whether a request has the credentials that its endpoint requires. */
export function isAuthenticated(scheme: AuthScheme, request: Request, keys: Keys): boolean {
  switch (scheme) {
    case "none":
      return true;
    case "publicKey":
      return new URL(request.url).searchParams.get(PUBLIC_KEY_PARAMETER) === keys.publicKey;
    case "basic":
      return basicCredentials(request) === `${keys.secretKey}:${keys.publicKey}`;
  }
}

/** The decoded `user:password`. The name of the scheme is case-insensitive (RFC 7617). */
function basicCredentials(request: Request): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  try {
    return atob(encoded);
  } catch {
    return undefined;
  }
}
