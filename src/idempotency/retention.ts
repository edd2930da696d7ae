import { changeDocument, type Documents } from "./documents.ts";

/** Of a document among the postbacks of a namespace. No list shows it: it names no order. */
export const RETENTION_KEY = '["retention"]';

/**
 * Records the retention of a namespace, in milliseconds: processes of other namespaces, which also delete its old
 * records, must not do so earlier than its own would.
 */
export async function recordRetention(postbacks: Documents, retentionMs: number): Promise<void> {
  const text = JSON.stringify({ ms: Math.min(retentionMs, Number.MAX_SAFE_INTEGER) });
  const expected = await postbacks.read(RETENTION_KEY);
  await changeDocument(postbacks, RETENTION_KEY, expected, undefined, (stored) => ({
    ...(stored?.text !== text && { write: { text, isOpen: true } }),
    result: undefined,
  }));
}
