import { MEMORY_STORE_POSTBACKS } from "../spec/limits.ts";
import { MemoryPostbacks } from "./memory-postbacks.ts";
import type { PostbackStore } from "./postback-contract.ts";

/** Remembers which postbacks were handled, in the memory of one process. */
export function memoryPostbackStore(maxPostbacks = MEMORY_STORE_POSTBACKS): PostbackStore {
  // What anybody can send must not drive out what is signed.
  const postbacks = {
    signed: new MemoryPostbacks(maxPostbacks),
    unsigned: new MemoryPostbacks(maxPostbacks),
  };
  return {
    claimPostback: async (key, owner, leaseMs) => postbacks[key.trust].claim(key, owner, leaseMs),
    renewPostback: async (key, owner, leaseMs) => postbacks[key.trust].renew(key, owner, leaseMs),
    confirmPostback: async (key, owner) => postbacks[key.trust].confirm(key, owner),
    releasePostback: async (key, owner) => postbacks[key.trust].release(key, owner),
  };
}
