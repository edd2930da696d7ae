import { encode } from "jose/base64url";
import { JWTClaimValidationFailed, JWTExpired } from "jose/errors";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import type {
  OrderToSign,
  OrderToWatch,
  PostbackSigningKey,
  PostbackToVerify,
  SignsPostbackUrls,
} from "../contracts/postback-signer.ts";
import { isRecord, ownProperty, withOwn, withoutPrototype } from "../data/own-properties.ts";
import { DAY_IN_MS } from "../data/time.ts";
import { referenceProblem } from "../data/validate.ts";
import { toWebUrl, WEB_URL_RULE } from "../data/web-url.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import type { Issue } from "../errors/issue.ts";
import { UntrustedPostbackError } from "../errors/postback-errors.ts";
import { InvalidRequestError } from "../errors/usage-errors.ts";
import { POSTBACK_TEXT_MAX, POSTBACK_URL_CHARACTERS } from "../spec/limits.ts";
import { PAYMENT_METHODS } from "../spec/values.ts";

/** Options of a `PostbackUrlSigner`. */
export interface PostbackUrlSignerOptions {
  /**
   * The first key signs, and all keys verify. To rotate, add the new key first, and remove the old one after two years.
   */
  readonly keys: readonly PostbackSigningKey[];
  /** Maximum characters of a signed postback URL. Default 2,048. Above 255, the client emits a `warning` event. */
  readonly maxLength?: number | undefined;
}

/** Days for which a signed URL is valid. Refunds and chargebacks can happen late. */
const LIFETIME_DAYS = { pix: 180, credit_card: 730 } as const;

/** A pix can be paid for at most 30 days. */
const STATUS_LIFETIME_DAYS = 31;

/** RFC 7518, section 3.2. */
const KEY_MIN_BYTES = 32;

const ALGORITHM = "HS256";

/**
 * What a token is for: its type, which distinguishes it from other tokens of the same key, and its query parameter, which
 * is short, and unlikely to be one of the merchant's own.
 */
interface Purpose {
  readonly type: string;
  readonly parameter: string;
}

const POSTBACK: Purpose = { type: "pb", parameter: "pbsig" };
const STATUS: Purpose = { type: "st", parameter: "stsig" };

/** Path, query and fragment exactly as written: a URL parser may change them. */
const URL_PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

/**
 * A signature has 256 bits, but its 43 characters hold 258. The last two must be zero, so that a signature can be
 * written in only one way.
 */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Signs the URL that receives the postbacks of an order, because the specification shows no signature of postbacks.
 *
 * A valid signature proves that the sender knows the URL of this order, which was sent only to the service. It
 * does not prove the status: anyone who sees the URL, in a log for example, can post any status to it. So keep the URL
 * secret, and never send the `postBackUrl` of a transaction to a browser.
 *
 * The signature covers the order, its amount and an expiry, and no other part of the URL, because proxies rewrite those.
 *
 * Spec: "Events", "Signature of notifications: not shown".
 */
export class PostbackUrlSigner implements SignsPostbackUrls {
  readonly #keys: readonly [SigningKey, ...SigningKey[]];
  readonly #maxLength: number;

  /** @throws {ConfigurationError} on a key of less than 32 bytes, and on other invalid options. */
  constructor(options: PostbackUrlSignerOptions) {
    const known = knownOptions(options, ["keys", "maxLength"]);
    const { keys, maxLength = POSTBACK_URL_CHARACTERS.max } = known;
    const isLength = Number.isSafeInteger(maxLength) && maxLength > 0;
    assertConfig(isLength, "maxLength must be a whole number of characters above zero.");
    this.#keys = readSigningKeys(keys);
    this.#maxLength = maxLength;
  }

  /**
   * Adds a short token to the query of a URL. `PaymentsClient({ postbackSigner })` does this for each create call.
   *
   * The token contains the amount, the expiry, and a digest of the reference that cannot be computed without the key.
   *
   * @param url - Absolute. It may have a query and a fragment. White space around it is removed.
   * @throws {InvalidRequestError} if the order or the URL cannot be signed, or the signed URL is longer than `maxLength`.
   */
  async sign(url: string, order: OrderToSign): Promise<string> {
    const { webUrl, externalRef, amount, expiresAt } = readOrder(url, order);
    const claims = { exp: expiresAt, a: amount, r: await this.#keys[0].digest(externalRef) };
    const signed = await this.#addToken(webUrl, POSTBACK, claims);
    const { length } = new URL(signed).href; // as it is sent: characters beyond ASCII become longer
    const excess = length - this.#maxLength;
    if (excess <= 0) return signed;
    const message = `has ${length} characters once it is signed, ${excess} more than maxLength allows (${this.#maxLength})`;
    throw invalidRequest([{ field: "postbackUrl", message }], externalRef);
  }

  /**
   * Verifies that a postback belongs to the order that its URL was signed for.
   *
   * A different amount is reported, not refused: a partial refund may have its own amount.
   *
   * @param url - The URL of the request, or its path and query.
   * @throws {UntrustedPostbackError} with the `reason`.
   */
  async verify(
    url: string,
    postback: PostbackToVerify,
  ): Promise<{
    /** Whether the amount is the signed one. */
    amountMatches: boolean;
    /** Cents. */
    signedAmount: number;
  }> {
    const externalRef = ownProperty(postback, "externalRef");
    const { key, payload } = await this.#verifyToken(url, POSTBACK);
    const { a: amount, r: digest } = payload;
    if (typeof amount !== "number" || typeof digest !== "string") {
      throw new UntrustedPostbackError("other_purpose");
    }
    if (typeof externalRef !== "string" || externalRef === "") {
      throw new UntrustedPostbackError("no_reference");
    }
    if ((await key.digest(externalRef)) !== digest) throw new UntrustedPostbackError("other_order");
    return { amountMatches: postback.amount === amount, signedAmount: amount };
  }

  /**
   * Makes a URL at which the customer's page asks for the status of one order: see `createStatusHandler`. Anyone who has it
   * can read the `externalRef` and the status, and nothing else. It is not accepted as a signed postback URL.
   *
   * @param url - Absolute, or a path that begins with `/`. White space around it is removed.
   * @throws {InvalidRequestError} if the order or the URL cannot be signed.
   */
  async statusUrl(url: string, order: OrderToWatch): Promise<string> {
    const { webUrl, externalRef, expiresAt } = readWatchedOrder(url, order);
    return this.#addToken(webUrl, STATUS, { exp: expiresAt, ref: externalRef });
  }

  /**
   * Verifies a URL that `statusUrl` made; `createStatusHandler` calls it.
   *
   * @param url - The URL of the request, or its path and query.
   * @throws {UntrustedPostbackError} with the `reason`.
   */
  async verifyStatusUrl(url: string): Promise<{
    /** The order whose status may be shown. */
    externalRef: string;
  }> {
    const { ref: externalRef } = (await this.#verifyToken(url, STATUS)).payload;
    if (typeof externalRef !== "string") throw new UntrustedPostbackError("other_purpose");
    return { externalRef };
  }

  /** Adds a token to the query of a URL. An earlier one is removed. */
  async #addToken(
    url: string,
    { type, parameter }: Purpose,
    claims: { exp: number; [name: string]: unknown },
  ): Promise<string> {
    const [key] = this.#keys;
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: type })
      .sign(await key.import());
    const [, path = "", query = "", fragment = ""] = URL_PARTS.exec(url) ?? [];
    const kept = query.split("&").filter((pair) => pair !== "" && !new URLSearchParams(pair).has(parameter));
    return `${path}?${[...kept, `${parameter}=${token}`].join("&")}${fragment}`;
  }

  /** @throws {UntrustedPostbackError} */
  async #verifyToken(url: string, { type, parameter }: Purpose) {
    const query = URL_PARTS.exec(String(url))?.[2] ?? "";
    const [token, ...others] = new URLSearchParams(query).getAll(parameter);
    if (token === undefined) throw new UntrustedPostbackError("missing_signature");
    if (others.length > 0 || !COMPACT_JWT.test(token)) throw new UntrustedPostbackError("bad_signature");
    const findKey = (kid: string | undefined) => {
      const key = this.#keys.find((candidate) => candidate.kid === kid);
      if (key === undefined) throw new UntrustedPostbackError("bad_signature");
      return key;
    };
    const verified = jwtVerify(token, ({ kid }) => findKey(kid).import(), {
      algorithms: [ALGORITHM],
      typ: type,
      requiredClaims: ["exp"],
    });
    const { protectedHeader, payload } = await verified.catch(rejectToken);
    return { key: findKey(protectedHeader.kid), payload: withoutPrototype(payload) };
  }
}

function rejectToken(error: unknown): never {
  if (error instanceof JWTExpired) throw new UntrustedPostbackError("expired");
  if (error instanceof JWTClaimValidationFailed) throw new UntrustedPostbackError("other_purpose");
  throw new UntrustedPostbackError("bad_signature");
}

const ORDER_FIELDS = ["externalRef", "amount", "paymentMethod", "expiresAt"] as const;

/** @throws {InvalidRequestError} with all problems at once, and without the URL. */
function readOrder(url: unknown, order: OrderToSign) {
  const { externalRef, amount, paymentMethod, expiresAt } = withOwn(order ?? {}, ORDER_FIELDS);
  const webUrl = toWebUrl(url) ?? "";
  const isAmount = Number.isSafeInteger(amount) && amount > 0;
  const isMethod = paymentMethod === undefined || PAYMENT_METHODS.includes(paymentMethod);
  const issues = [
    ...check(webUrl !== "", "postbackUrl", WEB_URL_RULE),
    ...checkReference(externalRef),
    ...check(isAmount, "amount", "must be a whole number of cents above zero"),
    ...check(isMethod, "paymentMethod", 'must be "credit_card" or "pix"'),
    ...checkExpiry(expiresAt),
  ];
  if (issues.length > 0) throw invalidRequest(issues, externalRef);
  // If the method is unknown, the URL must outlive the last possible chargeback of a card.
  const days = LIFETIME_DAYS[paymentMethod ?? "credit_card"];
  return { webUrl, externalRef, amount, expiresAt: toExpiry(expiresAt, days) };
}

/** Makes a path a URL that can be checked. */
const ORIGIN = "http://localhost";

/** @throws {InvalidRequestError} with all problems at once, and without the URL. */
function readWatchedOrder(url: unknown, order: OrderToWatch) {
  const { externalRef, expiresAt } = withOwn(order ?? {}, ["externalRef", "expiresAt"]);
  // Two slashes are the beginning of a host.
  const isPath = typeof url === "string" && /^\s*\/(?!\/)/.test(url);
  const webUrl = isPath ? toWebUrl(ORIGIN + url.trim())?.slice(ORIGIN.length) : toWebUrl(url);
  const { username, password } = new URL(webUrl ?? ORIGIN, ORIGIN);
  const issues = [
    ...check(webUrl !== undefined, "url", `${WEB_URL_RULE}, or a path`),
    // Browsers refuse to fetch it.
    ...check(username + password === "", "url", "must not have a user or a password"),
    ...checkReference(externalRef),
    ...checkExpiry(expiresAt),
  ];
  if (issues.length > 0) throw invalidRequest(issues, externalRef, "not_applicable");
  return { webUrl: webUrl ?? "", externalRef, expiresAt: toExpiry(expiresAt, STATUS_LIFETIME_DAYS) };
}

function check(isValid: boolean, field: string, message = ""): Issue[] {
  return isValid ? [] : [{ field, message }];
}

function checkExpiry(expiresAt: unknown): Issue[] {
  // Not `instanceof Date` alone: a Date may be invalid.
  const isValid = expiresAt === undefined || (expiresAt instanceof Date && expiresAt.getTime() > Date.now());
  return check(isValid, "expiresAt", "must be a Date in the future");
}

/** In seconds since 1970, as in a JWT. */
function toExpiry(expiresAt: Date | undefined, days: number): number {
  return Math.floor((expiresAt?.getTime() ?? Date.now() + days * DAY_IN_MS) / 1000);
}

function checkReference(externalRef: unknown): Issue[] {
  // Lone surrogates all have the same digest.
  if (typeof externalRef !== "string" || externalRef === "" || !externalRef.isWellFormed()) {
    return check(false, "externalRef", "must be a string that is not empty");
  }
  const max = POSTBACK_TEXT_MAX.externalRef;
  const tooLong = externalRef.length > max ? `must have at most ${max} characters` : undefined;
  const problem = tooLong ?? referenceProblem(externalRef);
  return check(problem === undefined, "externalRef", problem);
}

function invalidRequest(
  issues: Issue[],
  externalRef: unknown,
  outcome: "not_sent" | "not_applicable" = "not_sent",
): InvalidRequestError {
  const reference = typeof externalRef === "string" && { externalRef };
  return new InvalidRequestError(issues, { outcome, ...reference });
}

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Keeps digests and signatures apart: no token is signed over a text with these characters. */
const REFERENCE_PREFIX = "payments-sdk:externalRef:";

/** With 128 bits, another reference with the same digest cannot be found. */
const DIGEST_BYTES = 16;

class SigningKey {
  readonly kid: string;
  readonly #secret: Uint8Array<ArrayBuffer>;
  #imported: Promise<CryptoKey> | undefined;

  constructor(kid: string, secret: Uint8Array<ArrayBuffer>) {
    this.kid = kid;
    this.#secret = secret;
  }

  /** Imports the key once. */
  import(): Promise<CryptoKey> {
    this.#imported ??= crypto.subtle.importKey("raw", this.#secret, HMAC, false, ["sign", "verify"]);
    return this.#imported;
  }

  /** Identifies a reference without revealing it. References are easy to guess, so the digest needs the key. */
  async digest(externalRef: string): Promise<string> {
    const text = new TextEncoder().encode(REFERENCE_PREFIX + externalRef);
    const digest = await crypto.subtle.sign(HMAC.name, await this.import(), text);
    return encode(new Uint8Array(digest, 0, DIGEST_BYTES));
  }
}

/** @throws {ConfigurationError} on invalid keys, without any secret. */
function readSigningKeys(keys: unknown): readonly [SigningKey, ...SigningKey[]] {
  const [first, ...others] = Array.isArray(keys) ? keys.map(readSigningKey) : [];
  assertConfig(first !== undefined, "keys must be a list of at least one { kid, secret }.");
  const all = [first, ...others] as const;
  const kids = new Set(all.map(({ kid }) => kid));
  assertConfig(kids.size === all.length, "Each of the keys must have a different kid.");
  return all;
}

function readSigningKey(key: unknown, index: number): SigningKey {
  const { kid, secret } = isRecord(key) ? key : {};
  const isKid = typeof kid === "string" && kid !== "";
  assertConfig(isKid, `keys.${index}.kid must be a string that is not empty.`);
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  assertConfig(bytes instanceof Uint8Array, `keys.${index}.secret must be a string or bytes.`);
  const rule = `must have at least ${KEY_MIN_BYTES} bytes, and has ${bytes.length}`;
  assertConfig(bytes.length >= KEY_MIN_BYTES, `keys.${index}.secret ${rule}.`);
  return new SigningKey(kid, new Uint8Array(bytes)); // a copy: the caller may erase the original
}
