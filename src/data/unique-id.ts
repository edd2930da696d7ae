/** 72 random bits in 12 characters: unique among all writes, and all callers, of an order. */
export const createUniqueId = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(9))));
