import type { PostbackStore } from "../../contracts/postback-store.ts";
import { createMemoryDocuments } from "../memory-documents.ts";
import { createPostbackStore } from "./postback-store.ts";

/** Default number of orders whose postbacks are kept. */
export const MAX_POSTBACKS = 20_000;

/** Anyone can send unsigned postbacks, so they must not displace signed ones, and are kept elsewhere. */
export const createPostbackDocuments = (max: number) => createMemoryDocuments(max, { dropsOpen: true });

/** Remembers postbacks in the memory of one process. */
export function memoryPostbackStore(max = MAX_POSTBACKS): Required<PostbackStore> {
  const transactions = createMemoryDocuments(max);
  return createPostbackStore({ orders: createPostbackDocuments(max), transactions, isShared: false });
}
