import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const BENCH = join(import.meta.dirname, "..");
const PEERS = join(BENCH, "peers");

/** Milliseconds after which one that does not end is ended. */
const PATIENCE_MS = 60_000;

/** A program that is run from its start to its end. */
export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  /** Where its packages are looked for: beside the benchmarks, where ours is found by its own name, or with the peers. */
  readonly among: "ours" | "peers";
  /** The entry that must be there for it to take part. */
  readonly needs?: string;
}

export function isHere({ among, needs }: Program): boolean {
  if (needs === undefined) return true;
  if (among === "peers") return existsSync(join(PEERS, "node_modules", needs));
  try {
    import.meta.resolve(needs);
    return true;
  } catch {
    return false; // an entry that is not built yet
  }
}

/**
 * Milliseconds that a whole process takes.
 *
 * @throws {Error} with what it complained about, where it fails.
 */
export function wholeProcess({ name, args, among }: Program): number {
  const start = performance.now();
  const { status, signal, stderr } = spawnSync(process.execPath, args, {
    cwd: among === "ours" ? BENCH : PEERS,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  const took = performance.now() - start;
  if (status !== 0) throw new Error(`${name} ended with ${status ?? signal}: ${stderr}`);
  return took;
}
