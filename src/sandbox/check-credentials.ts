import { type AuthScheme, PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import type { GatewaySettings } from "./gateway-options.ts";

/** The two keys of an account. Spec: "Authentication", rule 1. */
type Keys = Pick<GatewaySettings, "secretKey" | "publicKey">;

/**
 * Returns why a request does not have the credentials that its endpoint requires, or `undefined` if it has them.
 * The text contains no key.
 */
export function problemWithCredentials(scheme: AuthScheme, request: Request, keys: Keys): string | undefined {
  if (scheme === "none") return undefined;
  return scheme === "publicKey" ? problemWithPublicKey(request, keys) : problemWithBasic(request, keys);
}

function problemWithPublicKey({ url }: Request, { secretKey, publicKey }: Keys): string | undefined {
  const given = new URL(url).searchParams.get(PUBLIC_KEY_PARAMETER);
  if (given === publicKey) return undefined;
  if (given === null) return `The query has no ${PUBLIC_KEY_PARAMETER}.`;
  return given === secretKey
    ? `${PUBLIC_KEY_PARAMETER} is the secret key. It must never leave the backend.`
    : `${PUBLIC_KEY_PARAMETER} is not the public key of this sandbox.`;
}

function problemWithBasic(request: Request, { secretKey, publicKey }: Keys): string | undefined {
  const credentials = basicCredentials(request);
  if (credentials === `${secretKey}:${publicKey}`) return undefined;
  if (!request.headers.has("authorization")) return "There is no Authorization header.";
  if (credentials === undefined) return "Authorization is not Basic, followed by base64.";
  if (credentials === `${publicKey}:${secretKey}`)
    return "The keys are in the wrong order: the secret key is first.";
  const [user, ...password] = credentials.split(":");
  if (user !== secretKey) return "The user name is not the secret key of this sandbox.";
  return password.join(":") === ""
    ? "The password is empty. It must be the public key."
    : "The password is not the public key of this sandbox.";
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
