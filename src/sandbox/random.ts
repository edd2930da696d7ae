/** The only source of randomness in a gateway, so that the same seed leads to the same results. */
export interface Random {
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  bytes(length: number): Uint8Array<ArrayBuffer>;
  /** Lower-case hexadecimal, two characters per byte. */
  hex(bytes: number): string;
  /** A UUID, version 4. */
  uuid(): string;
}

/** An unpredictable seed, for a gateway without the option `seed`. */
export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/** @param seed an integer, of which only the lowest 32 bits are used. */
export function createRandom(seed: number): Random {
  const next = mulberry32(seed);

  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const bytes = (length: number) => Uint8Array.from({ length }, () => integer(0, 255));
  const hex = (length: number) =>
    Array.from(bytes(length), (byte) => byte.toString(16).padStart(2, "0")).join("");

  return {
    integer,
    bytes,
    hex,
    uuid() {
      const digits = hex(16);
      const variant = integer(8, 11).toString(16);
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20),
      ].join("-");
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
