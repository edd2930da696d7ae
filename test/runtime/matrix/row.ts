import type { Workshop } from "./workshop.ts";

/** One thing that the package is tried on. */
export interface Row {
  /** What the command line calls it. */
  readonly name: string;
  readonly group: "runtimes" | "bundlers" | "compilers" | "test runners" | "commands";
  /** What the documentation calls it. */
  readonly label: string;
  readonly version: string;
  /** What works there; the entries by their names behind `payments-sdk/`. */
  readonly entries: readonly string[];
  /** What a create says there that cannot have left; nothing where no create is tried over HTTP. */
  readonly proofs?: Proofs;
  /**
   * Tries it, and says what it saw.
   *
   * @throws {Missing} where it cannot be had on this machine; anything else is a failure.
   */
  readonly run: (workshop: Workshop) => Promise<readonly string[]>;
}

/** The outcome of a create where nobody listens, or the certificate is wrong, by what sends it. */
export interface Proofs {
  readonly fetch: "not_sent" | "unknown";
  readonly nodeTransport?: "not_sent" | "unknown";
}

/** Something cannot be had here: no network, no binary for this platform, a library of the system missing. */
export class Missing extends Error {
  override readonly name = "Missing";
}
