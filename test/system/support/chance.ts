import { createHash } from "node:crypto";

/**
 * A number from 0 to 1, excluding 1, which depends only on the seed and the words. It has no state, so the order of
 * concurrent calls does not change it.
 */
export function chance(seed: number, ...words: readonly (string | number)[]): number {
  const digest = createHash("sha256").update(JSON.stringify([seed, ...words]));
  return digest.digest().readUInt32BE() / 2 ** 32;
}

/** A random whole number, including both ends. */
export function chosen(from: number, to: number, ...of: Parameters<typeof chance>): number {
  return from + Math.floor(chance(...of) * (to - from + 1));
}

/** `PAYMENTS_CRASH_SEED` repeats the choices of the run that printed this seed. */
export function readSeed(): number {
  const seed = process.env["PAYMENTS_CRASH_SEED"];
  return seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(seed);
}

/** The keys that sign postback URLs in the crash and soak runs. */
export const SIGNING_KEYS = [{ kid: "crash", secret: "a secret of the crash run, 32 bytes" }] as const;
