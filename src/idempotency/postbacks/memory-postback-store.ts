import type { PostbackStore } from "../../contracts/postback-store.ts";
import { createMemoryDocuments } from "../memory-documents.ts";
import { createPostbackStore } from "./postback-store.ts";

/** Default number of orders whose postbacks are kept. */
export const MAX_POSTBACKS = 20_000;

/** The signed postbacks of orders: if the callback of none has succeeded, the oldest is forgotten all the same. */
export const createPostbackDocuments = (max: number) => createMemoryDocuments(max, { dropsOpen: true });

/** Remembers postbacks in the memory of one process. */
export function memoryPostbackStore(): Required<PostbackStore> {
  return createPostbackStore({
    orders: createPostbackDocuments(MAX_POSTBACKS),
    // Anyone can send unsigned postbacks, so they must not displace signed ones, and are kept elsewhere.
    transactions: createMemoryDocuments(MAX_POSTBACKS),
    isShared: false,
  });
}
