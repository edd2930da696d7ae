import { appendFileSync } from "node:fs";

/** What a receiver writes down of a run of `onPostback`. */
export type JournalEntry = "began" | "threw" | "succeeded";

/** One line in one write: it stays when the process is killed, and lines of two processes do not mix. */
export function note(file: string, receiver: number, entry: JournalEntry, change: string): void {
  appendFileSync(file, `${receiver}\t${entry}\t${change}\n`);
}

/** What the receivers wrote down, counted. */
export interface Journal {
  readonly runs: number;
  readonly throws: number;
  /** How often each change succeeded, by its name. */
  readonly successes: ReadonlyMap<string, number>;
  /** The receivers in which something succeeded, by their numbers. */
  readonly receivers: readonly number[];
}

export function readJournal(text: string): Journal {
  const counts: Record<JournalEntry, number> = { began: 0, threw: 0, succeeded: 0 };
  const successes = new Map<string, number>();
  const receivers = new Set<number>();
  for (const [, receiver, entry = "", change = ""] of text.matchAll(
    /^(\d+)\t(began|threw|succeeded)\t(.+)$/gm,
  )) {
    counts[entry as JournalEntry] += 1;
    if (entry !== "succeeded") continue;
    successes.set(change, (successes.get(change) ?? 0) + 1);
    receivers.add(Number(receiver));
  }
  return {
    runs: counts.began,
    throws: counts.threw,
    successes,
    receivers: [...receivers].sort((a, b) => a - b),
  };
}
