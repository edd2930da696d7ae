import { ConfigurationError } from "../errors/usage-errors.ts";
import { PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX } from "../spec/values.ts";

/** Printable ASCII without the colon, which separates the two keys in Basic authentication. */
const VALID_KEY = /^[!-9;-~]+$/;

interface KeyKind {
  readonly option: "secretKey" | "publicKey";
  readonly prefix: string;
  readonly other: string;
}

const SECRET: KeyKind = { option: "secretKey", prefix: SECRET_KEY_PREFIX, other: PUBLIC_KEY_PREFIX };
const PUBLIC: KeyKind = { option: "publicKey", prefix: PUBLIC_KEY_PREFIX, other: SECRET_KEY_PREFIX };

/** @throws {ConfigurationError} if the value is not a secret key; the message does not contain it. */
export const readSecretKey = (value: unknown): string | undefined => readKey(value, SECRET);

/** @throws {ConfigurationError} if the value is not a public key; the message does not contain it. */
export const readPublicKey = (value: unknown): string | undefined => readKey(value, PUBLIC);

function readKey(value: unknown, { option, prefix, other }: KeyKind): string | undefined {
  if ((value ?? "") === "") return undefined;
  if (typeof value !== "string") throw new ConfigurationError(`${option} must be a string.`);
  if (value.startsWith(other)) {
    throw new ConfigurationError(
      `${option} starts with ${other}: the two keys are swapped. It must start with ${prefix}.`,
    );
  }
  if (!value.startsWith(prefix)) throw new ConfigurationError(`${option} must start with ${prefix}.`);
  if (!VALID_KEY.test(value)) {
    throw new ConfigurationError(
      `${option} must not contain spaces, colons or other characters that no key has.`,
    );
  }
  return value;
}

/** The message of a 401 for a call that sends only the public key. */
export const PUBLIC_KEY_REFUSED =
  "The service refused the keys (401). Check that publicKey belongs to the account at this base URL.";
