import type { AuthScheme } from "../spec/endpoints.ts";
import { PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";

/** The two keys of an account. Spec: "Authentication", rule 1. */
export interface Keys {
  readonly secretKey: string;
  readonly publicKey: string;
}

/** Whether a request proves who is calling, in the way that its endpoint asks for. */
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

/** The decoded `user:password`; the name of the scheme is read in any case, as RFC 7617 has it. */
function basicCredentials(request: Request): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (encoded === undefined) return undefined;
  try {
    return atob(encoded);
  } catch {
    return undefined;
  }
}
