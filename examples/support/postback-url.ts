import { randomBytes } from "node:crypto";
import { env } from "node:process";
import { PostbackUrlSigner, type SignsPostbackUrls } from "payments-sdk/postbacks";
import { signerFromEnv } from "../postbacks/signer-from-env.ts";
import { check } from "./failure.ts";
import { url } from "./flags.ts";
import type { Service } from "./service.ts";

export const POSTBACK_FLAGS = {
  "postback-url": url("where the service posts changes to, such as `npm run example postbacks`"),
};

export const POSTBACK_NOTES =
  "PAYMENTS_POSTBACK_SECRET signs the --postback-url; a service that is no sandbox needs both.";

/** Options of a client: where the service posts changes to, and what signs that. */
export interface PostbackTarget {
  readonly postbackUrl: string;
  readonly postbackSigner?: SignsPostbackUrls;
}

/**
 * Where the service posts to: what the flag says, or else what the example has; a sandbox has a receiver of its own for
 * those that have none.
 *
 * @param own - A receiver in the example, which only a sandbox on this machine reaches.
 */
export function postbacksTo(
  { isSandbox, baseUrl }: Service,
  postbackUrl: string | undefined,
  own: PostbackTarget = { postbackUrl: `${baseUrl}/sandbox/inbox` },
): PostbackTarget {
  if (postbackUrl !== undefined) return { postbackUrl, postbackSigner: signerFromEnv() };
  check(isSandbox, "--postback-url is missing: nobody would ever hear what becomes of the payment.");
  return own;
}

/** The signer of the shop. A sandbox has no orders from before, so that any secret will do. */
export function signerOf({ isSandbox }: Service): PostbackUrlSigner {
  if (!isSandbox || env["PAYMENTS_POSTBACK_SECRET"]) return signerFromEnv();
  return new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] });
}
