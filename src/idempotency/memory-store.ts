import { knownOptions } from "../core/known-options.ts";
import { mustBe, NO_CALL } from "../core/must-be.ts";
import { MEMORY_STORE_POSTBACKS } from "../spec/limits.ts";
import type { PostbackStore } from "./contract.ts";
import { MemoryPostbacks } from "./memory-postbacks.ts";

/** Options of a memory store. */
export interface MemoryStoreOptions {
  /**
   * How many handled postbacks are remembered of each `trust`; the oldest are forgotten first, and of one order the
   * latest 1,000 are kept. Default 20,000.
   */
  readonly maxPostbacks?: number | undefined;
}

/**
 * A store in the memory of one process. It forgets everything when the process ends, and knows nothing of other
 * processes: use `sqliteStore`, or a store of your own, where a postback must not be handled again after a restart.
 *
 * @throws {ConfigurationError} on an option that cannot work.
 */
export function memoryStore(options: MemoryStoreOptions = {}): PostbackStore {
  const { maxPostbacks = MEMORY_STORE_POSTBACKS } = knownOptions(options, ["maxPostbacks"], NO_CALL);
  const isNumber = Number.isSafeInteger(maxPostbacks) && maxPostbacks > 0;
  mustBe(isNumber, "maxPostbacks must be a whole number above zero.");
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
