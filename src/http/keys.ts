import { ConfigurationError } from "../errors/configuration-error.ts";
import { PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX } from "../spec/values.ts";

/** Printable ASCII without the colon, which parts the two keys of Basic authentication. */
const KEY_TEXT = /^[!-9;-~]+$/;

interface KeyKind {
  readonly option: "secretKey" | "publicKey";
  readonly prefix: string;
  readonly other: string;
}

const SECRET: KeyKind = { option: "secretKey", prefix: SECRET_KEY_PREFIX, other: PUBLIC_KEY_PREFIX };
const PUBLIC: KeyKind = { option: "publicKey", prefix: PUBLIC_KEY_PREFIX, other: SECRET_KEY_PREFIX };

/** @throws {ConfigurationError} on a key that is none, or the other one; it does not repeat it. */
export const readSecretKey = (value: unknown): string | undefined => readKey(value, SECRET);

/** @throws {ConfigurationError} on a key that is none, or the other one; it does not repeat it. */
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
  if (!KEY_TEXT.test(value)) {
    throw new ConfigurationError(
      `${option} must have no spaces, colons or other characters that a key never has.`,
    );
  }
  return value;
}
