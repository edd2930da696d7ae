import { DELIVERIES, ORDERS, type StatusChange } from "./deliveries.ts";
import { readJournal } from "./journal.ts";
import type { Service } from "./service.ts";

/** What came of a storm: answers as the service counted them, the rest as the receivers wrote it down. */
export interface Figures {
  readonly changes: number;
  readonly sent: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly throws: number;
  readonly successes: number;
  /** Successes of a change beyond its first one. */
  readonly repeats: number;
  /** Changes that never succeeded. */
  readonly lost: readonly string[];
  readonly receivers: readonly number[];
  readonly kills: number;
}

export function figuresOf(
  changes: readonly StatusChange[],
  service: Service,
  journal: string,
  kills: number,
): Figures {
  const { runs, throws, successes, receivers } = readJournal(journal);
  const total = [...successes.values()].reduce((sum, count) => sum + count, 0);
  return {
    changes: changes.length,
    sent: service.sent,
    answers: Object.fromEntries([...service.answers].sort()),
    runs,
    throws,
    successes: total,
    repeats: total - successes.size,
    lost: changes.map(({ name }) => name).filter((name) => !successes.has(name)),
    receivers,
    kills,
  };
}

/** For people. */
export function blockOf(
  { title, seed }: { readonly title: string; readonly seed: number },
  { changes, sent, answers, runs, throws, successes, repeats, lost, kills }: Figures,
  seconds: number,
): string {
  const row = (name: string, text: string) => `  ${name.padEnd(12)}${text}\n`;
  const answered = Object.entries(answers).map(([name, count]) => `${count} x ${name}`);
  return [
    `A storm of postbacks on ${title} (PAYMENTS_STORM_SEED=${seed})\n`,
    row("deliveries", `${DELIVERIES} of ${changes} status changes of ${ORDERS} orders, sent ${sent} times`),
    row("answers", answered.join(", ")),
    row("runs", `${runs}: ${successes} succeeded, ${throws} threw, ${runs - successes - throws} cut off`),
    row("outcome", `${repeats} repeats, ${lost.length} lost, ${kills} kills`),
    row("time", `${seconds.toFixed(1)} s`),
  ].join("");
}
