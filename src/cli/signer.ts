import type { PostbackUrlSigner } from "../postbacks.ts";
import { Failure } from "./failure.ts";
import type { Settings } from "./settings.ts";

/**
 * The signer of the merchant, if its secret is set.
 *
 * @throws {Failure} `configuration` if the secret is too short; the message does not contain it.
 */
export async function readSigner(settings: Settings): Promise<PostbackUrlSigner | undefined> {
  const secret = settings.get("PAYMENTS_POSTBACK_SECRET");
  if (secret === undefined) return undefined;
  const kid = settings.get("PAYMENTS_POSTBACK_KID") ?? "1"; // as in the documentation
  const { ConfigurationError, PostbackUrlSigner } = await import("../postbacks.ts");
  try {
    return new PostbackUrlSigner({ keys: [{ kid, secret }] });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const message = error.message.replace("keys.0.secret", "PAYMENTS_POSTBACK_SECRET");
    throw new Failure(error.code, message);
  }
}
