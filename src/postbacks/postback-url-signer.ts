import { JWTClaimValidationFailed, JWTExpired } from "jose/errors";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import { bare, own } from "../data/own.ts";
import { assertConfig, knownOptions, NO_CALL } from "../errors/check-options.ts";
import { UntrustedPostbackError } from "../errors/untrusted-postback-error.ts";
import { POSTBACK_URL_CHARACTERS } from "../spec/limits.ts";
import { readOrderToSign, refuseTooLong } from "./order-to-sign.ts";
import { signaturesIn, withSignature } from "./signed-url.ts";
import type {
  OrderToSign,
  PostbackSigningKey,
  PostbackToVerify,
  SignsPostbackUrls,
} from "./signer-contract.ts";
import { readSigningKeys, type SigningKey } from "./signing-keys.ts";

/** Options of a `PostbackUrlSigner`. */
export interface PostbackUrlSignerOptions {
  /** The first one signs, all of them verify: put a new key in front, and take the old one out two years later. */
  readonly keys: readonly PostbackSigningKey[];
  /** Characters that a signed URL may have. Default 2,048. Above 255 the client gives a `warning` event. */
  readonly maxLength?: number | undefined;
}

const ALGORITHM = "HS256";

/** Parts our tokens from others that the same key may have signed. */
const TOKEN_TYPE = "pb";

/**
 * A signature has 256 bits, and its 43 characters hold 258: those two must be zero, or one signature could be
 * written in four ways.
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Signs the URL that postbacks of an order are sent to, because the service does not sign the postbacks.
 *
 * What a good signature proves: whoever sent the postback knows the URL of this very order, which was told to
 * nobody but the service. What it does not prove: the status. Somebody who saw the URL, in a log for one, can
 * send any status to it. So keep the URL secret, and never send the `postBackUrl` that the service echoes to a
 * browser.
 *
 * The signature covers the order, its amount and an expiry, and no other part of the URL: proxies rewrite those.
 *
 * Spec: "Events", "Signature of notifications: not shown".
 */
export class PostbackUrlSigner implements SignsPostbackUrls {
  readonly #keys: readonly [SigningKey, ...SigningKey[]];
  readonly #maxLength: number;

  /** @throws {ConfigurationError} on a key of less than 32 bytes, and on other options that cannot work. */
  constructor(options: PostbackUrlSignerOptions) {
    const { keys, maxLength = POSTBACK_URL_CHARACTERS.max } = knownOptions(
      options,
      ["keys", "maxLength"],
      NO_CALL,
    );
    const isLength = Number.isSafeInteger(maxLength) && maxLength > 0;
    assertConfig(isLength, "maxLength must be a whole number of characters above zero.");
    this.#keys = readSigningKeys(keys);
    this.#maxLength = maxLength;
  }

  /**
   * Puts a short token into the query of a URL. `PaymentsClient({ postbackSigner })` does it for every create.
   *
   * The token tells the amount and the expiry, and names the reference by a digest that needs the key.
   *
   * @param url - Absolute. It may have a query and a fragment of its own.
   * @throws {InvalidRequestError} where the order or the URL cannot be signed, or the URL would be longer than
   * `maxLength`.
   */
  async sign(url: string, order: OrderToSign): Promise<string> {
    const { externalRef, amount, expiresAt } = readOrderToSign(url, order);
    const [key] = this.#keys;
    const token = await new SignJWT({ exp: expiresAt, a: amount, r: await key.digestOf(externalRef) })
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: TOKEN_TYPE })
      .sign(await key.imported());
    const signed = withSignature(url, token);
    refuseTooLong(signed, this.#maxLength, externalRef);
    return signed;
  }

  /**
   * Whether a postback that came to a URL is of the order that the URL was signed for.
   *
   * Another amount is told and not refused: a refund of a part may send its own.
   *
   * @param url - The URL of the request, or its path and query.
   * @throws {UntrustedPostbackError} with the `reason`.
   */
  async verify(
    url: string,
    postback: PostbackToVerify,
  ): Promise<{
    /** Whether the amount is the one that was signed. */
    amountMatches: boolean;
  }> {
    const externalRef = own(postback, "externalRef");
    const hasReference = typeof externalRef === "string" && externalRef !== "";
    const { amount, digest, expected } = await this.#claimsOf(url, hasReference ? externalRef : undefined);
    if (expected === undefined) throw new UntrustedPostbackError("no_reference");
    if (expected !== digest) throw new UntrustedPostbackError("other_order");
    return { amountMatches: postback.amount === amount };
  }

  /** What a URL says, and the digest that it should hold: both are computed at the same time. */
  async #claimsOf(
    url: string,
    externalRef: string | undefined,
  ): Promise<{ amount: number; digest: string; expected: string | undefined }> {
    const [token, ...others] = signaturesIn(String(url));
    if (token === undefined) throw new UntrustedPostbackError("missing_signature");
    if (others.length > 0 || !COMPACT_JWT.test(token)) throw new UntrustedPostbackError("bad_signature");
    let expected: Promise<string> | undefined;
    const verified = jwtVerify(
      token,
      ({ kid }) => {
        const key = this.#keys.find((candidate) => candidate.kid === kid);
        if (key === undefined) throw new UntrustedPostbackError("bad_signature");
        expected = externalRef === undefined ? undefined : key.digestOf(externalRef);
        expected?.catch(() => undefined); // looked at only once the signature is found to be right
        return key.imported();
      },
      { algorithms: [ALGORITHM], typ: TOKEN_TYPE, requiredClaims: ["exp"] },
    );
    const { a: amount, r: digest } = bare((await verified.catch(refuse)).payload);
    if (typeof amount !== "number" || typeof digest !== "string") {
      throw new UntrustedPostbackError("other_purpose");
    }
    return { amount, digest, expected: await expected };
  }
}

function refuse(error: unknown): never {
  if (error instanceof JWTExpired) throw new UntrustedPostbackError("expired");
  if (error instanceof JWTClaimValidationFailed) throw new UntrustedPostbackError("other_purpose");
  throw new UntrustedPostbackError("bad_signature");
}
