import type { CrashFigures, StoreFigures } from "./crash-run.ts";
import type { Standings } from "./standings.ts";

/** For people. */
export function blockOf(
  title: string,
  { seed, count }: { readonly seed: number; readonly count: number },
  figures: CrashFigures | StoreFigures,
  seconds: number,
): string {
  const { kills, requests, drops, transactions, chargedTwice } = figures;
  return [
    `Crashes ${title} (--seed ${seed} --orders ${count})\n`,
    row("killed", `${totalOf(kills)}: ${listOf(kills)}`),
    row("connections", `${totalOf(drops)} of ${requests} dropped: ${listOf(drops)}`),
    ...("crashed" in figures ? rowsOf(figures) : []),
    row("outcome", `${chargedTwice.length} charged twice, ${transactions} transactions`),
    row("time", `${seconds.toFixed(1)} s`),
  ].join("");
}

function rowsOf({ crashed, postbacks, heard, resolved, settled, again }: StoreFigures): readonly string[] {
  return [
    row("then", stateOf(crashed)),
    row("postbacks", `${postbacks} came: ${stateOf(heard)}`),
    row("a person", `resolved ${resolved}: ${stateOf(settled)}`),
    row("once more", listOf(again)),
  ];
}

const row = (name: string, text: string) => `  ${name.padEnd(12)}${text}\n`;

const stateOf = ({ created, free, unresolved }: Standings) =>
  `${created} created, ${free} free, ${unresolved} unresolved`;

const listOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");

const totalOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** What a run did not meet, so that it proves little. */
export function missingIn({ kills, drops }: CrashFigures): readonly string[] {
  const counts = Object.entries({ ...kills, ...drops });
  return counts.filter(([, count]) => count === 0).map(([name]) => name);
}
