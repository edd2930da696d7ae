import { env } from "node:process";
import { PostbackUrlSigner } from "payments-sdk/postbacks";

/**
 * The signer of a shop. `new PaymentsClient({ postbackUrl, postbackSigner })` signs with it, where orders are
 * created; the routes beside this file verify with it.
 */
export function signerFromEnv(): PostbackUrlSigner {
  const secret = env["PAYMENTS_POSTBACK_SECRET"];
  if (!secret) throw new Error("PAYMENTS_POSTBACK_SECRET is not set: `openssl rand -base64 32` makes one.");
  return new PostbackUrlSigner({
    keys: [
      // A new key goes in front, under a name of its own; the old one stays for as long as its URLs are good.
      { kid: "1", secret },
    ],
  });
}
