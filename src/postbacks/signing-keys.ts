import { encode } from "jose/base64url";
import { isRecord } from "../data/own.ts";
import { NO_CALL } from "../errors/check-options.ts";
import { ConfigurationError } from "../errors/configuration-error.ts";
import { SIGNING_KEY_MIN_BYTES } from "../spec/limits.ts";

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** No signature is ever made of such a text: it has characters that base64url has not. */
const REFERENCE_PREFIX = "payments-sdk:externalRef:";

/** 128 bits are too many to find another reference with the same digest. */
const DIGEST_BYTES = 16;

/** One key, imported once. */
export class SigningKey {
  readonly kid: string;
  readonly #secret: Uint8Array<ArrayBuffer>;
  #imported: Promise<CryptoKey> | undefined;

  constructor(kid: string, secret: Uint8Array<ArrayBuffer>) {
    this.kid = kid;
    this.#secret = secret;
  }

  imported(): Promise<CryptoKey> {
    this.#imported ??= crypto.subtle.importKey("raw", this.#secret, HMAC, false, ["sign", "verify"]);
    return this.#imported;
  }

  /** Names a reference without telling it: references are easy to guess, so their digest needs the key, too. */
  async digestOf(externalRef: string): Promise<string> {
    const text = new TextEncoder().encode(REFERENCE_PREFIX + externalRef);
    const digest = await crypto.subtle.sign(HMAC.name, await this.imported(), text);
    return encode(new Uint8Array(digest, 0, DIGEST_BYTES));
  }
}

/** @throws {ConfigurationError} on keys that cannot work; it never repeats a secret. */
export function readSigningKeys(keys: unknown): readonly [SigningKey, ...SigningKey[]] {
  if (!Array.isArray(keys)) throw new ConfigurationError("keys must be a list of { kid, secret }.", NO_CALL);
  const [first, ...others] = keys.map(readKey);
  if (first === undefined) throw new ConfigurationError("keys must name at least one key.", NO_CALL);
  const all = [first, ...others] as const;
  if (new Set(all.map(({ kid }) => kid)).size < all.length) {
    throw new ConfigurationError("keys must each have a kid of their own.", NO_CALL);
  }
  return all;
}

function readKey(key: unknown, at: number): SigningKey {
  const { kid, secret } = isRecord(key) ? key : {};
  if (typeof kid !== "string" || kid === "") {
    throw new ConfigurationError(`keys.${at}.kid must be a string that is not empty.`, NO_CALL);
  }
  const bytes = bytesOf(secret);
  if (bytes === undefined)
    throw new ConfigurationError(`keys.${at}.secret must be a string or bytes.`, NO_CALL);
  if (bytes.length < SIGNING_KEY_MIN_BYTES) {
    const rule = `must have at least ${SIGNING_KEY_MIN_BYTES} bytes, and has ${bytes.length}`;
    throw new ConfigurationError(`keys.${at}.secret ${rule}.`, NO_CALL);
  }
  return new SigningKey(kid, bytes);
}

function bytesOf(secret: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof secret === "string") return new TextEncoder().encode(secret);
  // A copy: whoever passed the bytes may wipe them.
  return secret instanceof Uint8Array ? new Uint8Array(secret) : undefined;
}
