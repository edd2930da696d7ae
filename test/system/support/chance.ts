import { createHash } from "node:crypto";

/**
 * A number from 0 to 1, without 1, that is the same for the same seed and words. It counts nothing, so the order in
 * which concurrent work asks for it changes no choice.
 */
export function chance(seed: number, ...words: readonly (string | number)[]): number {
  const digest = createHash("sha256").update(JSON.stringify([seed, ...words]));
  return digest.digest().readUInt32BE() / 2 ** 32;
}

/** The same as a whole number from the first to the last. */
export function chosen(from: number, to: number, ...of: Parameters<typeof chance>): number {
  return from + Math.floor(chance(...of) * (to - from + 1));
}

/** `PAYMENTS_STORM_SEED` repeats the choices of a run that printed its seed. */
export function readSeed(): number {
  const given = process.env["PAYMENTS_STORM_SEED"];
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}

/** The keys that sign postback URLs in the storms and crashes. */
export const SIGNING_KEYS = [{ kid: "storm", secret: "a secret of the storm, 32 bytes or more" }] as const;
