/** In bytes. Namespace and key share a row of an index, which PostgreSQL lets have 2,704 bytes. */
const SHORT_KEY_MAX = 1_000;

const DIGEST = "sha256:";

/** A key as columns hold it. */
export interface ColumnKey {
  /** The key itself, or a digest of one that cannot be in an index. */
  readonly short: string;
  /** JSON of a key that is kept as a digest; empty for all others. */
  readonly full: string;
}

/** PostgreSQL keeps no long text in an index. */
export async function columnKey(key: string): Promise<ColumnKey> {
  if (isPlain(key)) return { short: key, full: "" };
  const full = JSON.stringify(key);
  return { short: `${DIGEST}${await digestOf(full)}`, full };
}

function isPlain(key: string): boolean {
  if (key === "" || key.startsWith(DIGEST)) return false;
  return new TextEncoder().encode(key).length <= SHORT_KEY_MAX;
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
