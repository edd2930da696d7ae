import type { PostbackKey, PostbackStore } from "../../contracts/postback-store.ts";
import { ownCopy } from "../../data/own.ts";
import { POSTBACK_TAKEOVER_MS, POSTBACKS_PER_TRANSACTION } from "../../spec/limits.ts";
import { changeDocument, type Documents } from "../documents.ts";
import { createPostbackStore, type TransactionPostbacks } from "./postback-claims.ts";
import { limitHandled } from "./postback-history.ts";

/** Keeps postbacks in documents: one for each transaction. */
export function createDocumentPostbacks(documents: Documents): PostbackStore {
  return createPostbackStore({
    takeoverMs: POSTBACK_TAKEOVER_MS,
    async change(key, isClaim, decide) {
      const documentKey = toDocumentKey(key);
      const expected = isClaim ? undefined : await documents.read(documentKey);
      const { result } = await changeDocument(documents, documentKey, expected, (found) => {
        const postbacks = found === undefined ? NONE : parsePostbacks(found.text);
        const { next, result } = decide(postbacks, found?.ageMs ?? 0);
        if (next === undefined) return { result };
        const handled = limitHandled(next.handled, POSTBACKS_PER_TRANSACTION);
        return { write: { text: JSON.stringify({ ...next, handled }), isOpen: false }, result };
      });
      return result;
    },
  });
}

const NONE: TransactionPostbacks = { held: undefined, handled: [] };

/** `held` is an own property, so that it is never inherited. */
function parsePostbacks(text: string): TransactionPostbacks {
  return ownCopy(JSON.parse(text) as TransactionPostbacks, ["held"]);
}

function toDocumentKey({ trust, externalRef, id }: PostbackKey): string {
  return JSON.stringify([trust, id, externalRef]);
}
