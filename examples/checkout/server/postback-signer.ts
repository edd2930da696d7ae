import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";

/**
 * Signs the address that the service posts to for each order, and verifies it when a postback comes.
 *
 * The sandbox forgets its transactions when it ends, so there a secret may end with the shop. Elsewhere postbacks come
 * for months, also after a restart.
 *
 * @throws where the secret is missing, or too short.
 */
export function postbackSignerFor(service: { readonly secretKey: string }): PostbackUrlSigner {
  const named = env["PAYMENTS_POSTBACK_SECRET"] || undefined;
  if (named === undefined && service.secretKey !== SANDBOX_SECRET_KEY) {
    throw new Error("PAYMENTS_POSTBACK_SECRET is not set: `openssl rand -base64 32` makes one.");
  }
  return new PostbackUrlSigner({ keys: [{ kid: "1", secret: named ?? randomBytes(32) }] });
}
