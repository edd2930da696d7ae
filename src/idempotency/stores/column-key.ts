/** Bytes. Namespace and key share a row of an index, which PostgreSQL limits to 2,704 bytes and MySQL to 3,072. */
const SHORT_KEY_MAX = 1_000;

const DIGEST = "sha256:";

/**
 * @returns `short`: the key, or its digest if the key cannot be in an index, has no bytes in UTF-8, or is empty, as the start of
 * a list is. `full`: JSON of a key that is stored as a digest; otherwise empty.
 */
export async function toColumnKey(key: string): Promise<{ readonly short: string; readonly full: string }> {
  const isShort = key.isWellFormed() && new TextEncoder().encode(key).length <= SHORT_KEY_MAX;
  if (isShort && key !== "" && !key.startsWith(DIGEST)) return { short: key, full: "" };
  const full = JSON.stringify(key);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(full));
  return { short: `${DIGEST}${toHex(new Uint8Array(digest))}`, full };
}

export const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
