export type Random = ReturnType<typeof createRandom>;

/**
 * The only source of randomness in a gateway, so that the same seed leads to the same results.
 *
 * @param seed an integer, of which only the lowest 32 bits are used. Default: unpredictable.
 */
export function createRandom(seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) {
  const next = mulberry32(seed);

  /** An integer from `min` to `max`, both included. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const bytes = (length: number) => Uint8Array.from({ length }, () => integer(0, 255));
  /** Lower case, two characters per byte. */
  const hex = (length: number) =>
    Array.from(bytes(length), (byte) => byte.toString(16).padStart(2, "0")).join("");

  return {
    integer,
    bytes,
    hex,
    /** Version 4. */
    uuid() {
      const digits = hex(16);
      const variant = integer(8, 11).toString(16);
      return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
    },
  };
}

/** Numbers from 0 (included) to 1 (excluded), evenly distributed. Not suitable for secrets. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
