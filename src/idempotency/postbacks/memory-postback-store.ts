import type { PostbackStore } from "../../contracts/postback-store.ts";
import { createMemoryDocuments } from "../memory-documents.ts";
import { createPostbackStore } from "./postback-store.ts";

/** Default number of orders whose postbacks are kept. */
export const MAX_POSTBACKS = 20_000;

/** Remembers postbacks in the memory of one process. */
export function memoryPostbackStore(max = MAX_POSTBACKS): Required<PostbackStore> {
  // Anyone can send unsigned postbacks, so they must not displace signed ones.
  const orders = createMemoryDocuments(max, { dropsOpen: true });
  return createPostbackStore({ orders, transactions: createMemoryDocuments(max), isShared: false });
}
