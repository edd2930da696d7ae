import { isWebUrl } from "../data/url.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import type { SignsPostbackUrls } from "../postbacks/signer-contract.ts";
import type { PaymentsClientOptions } from "./client-options.ts";

/** Where the postbacks of a client's creates go to. */
export interface PostbackSettings {
  /** For creates that do not say. */
  readonly url: string | undefined;
  readonly signer: SignsPostbackUrls | undefined;
}

/** @throws {ConfigurationError} */
export function readPostbackSettings(options: PaymentsClientOptions): PostbackSettings {
  const { postbackUrl, postbackSigner: signer } = options;
  if (signer !== undefined && typeof signer?.sign !== "function") {
    throw new ConfigurationError("postbackSigner must be a PostbackUrlSigner.");
  }
  return { url: readPostbackUrl(postbackUrl), signer };
}

function readPostbackUrl(value: unknown): string | undefined {
  if (value === undefined || value === "") return undefined;
  if (isWebUrl(value)) return value;
  throw new ConfigurationError("postbackUrl must be an absolute URL.");
}
