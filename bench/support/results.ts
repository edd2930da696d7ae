import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Aim, Section } from "./measurement.ts";
import { aimsTable, isMet, sectionText, tableText } from "./tables.ts";

const BENCH = join(import.meta.dirname, "..");
export const RESULTS = join(BENCH, "results.md");
/** What stands in place of a reason that nobody has found. */
export const NO_REASON = "No reason was found yet.";
const REASONS = join(BENCH, "reasons.md");

/** The whole of results.md: where and when, all aims, why some are missed, then what was measured. */
export function resultsText(sections: readonly Section[], reasons: readonly Reason[], date: Date): string {
  const aims = sections.flatMap((section) => section.aims);
  const parts = [
    "# Benchmarks",
    `Written by \`npm run bench\` on ${date.toISOString().slice(0, 10)}: Node ${process.versions.node} on ${machine()}. Every figure is from this one run. Ratios are to the baseline of the same round unless a section says otherwise; lower is better.`,
    tableText({ caption: "Versions", columns: ["package", "version"], rows: versions() }),
    "## Aims",
    tableText({ ...aimsTable(aims), caption: "" }),
    ...explain(
      aims.filter((aim) => !isMet(aim)),
      reasons,
    ),
    ...sections.map((section) => sectionText({ ...section, aims: [] }).trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Without the machine's name. */
function machine(): string {
  const { length, 0: first } = cpus();
  return `${length} cores of ${first?.model.trim() || "an unnamed CPU"}, ${process.platform} ${process.arch}`;
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What our own package is made of, whether it is compiled in or installed beside it. */
const INSIDE = ["jose", "ky", "zod"];

function versions(): string[][] {
  const own: Manifest = JSON.parse(readFileSync(join(BENCH, "..", "package.json"), "utf8"));
  const peers: Manifest = JSON.parse(readFileSync(join(BENCH, "peers", "package.json"), "utf8"));
  return [
    ["payments-sdk", own.version ?? ""],
    ...Object.entries({ ...own.devDependencies, ...own.dependencies }).filter(([name]) =>
      INSIDE.includes(name),
    ),
    ...Object.entries(peers.dependencies ?? {}),
  ];
}

/** Why an aim is missed. */
export interface Reason {
  /** How the aims begin that it is about. */
  readonly about: string;
  readonly reason: string;
}

/** The reasons that we found, each under a heading. */
export function readReasons(): Reason[] {
  return readFileSync(REASONS, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [about = "", ...lines] = part.split("\n");
      return { about: about.trim(), reason: lines.join("\n").trim() };
    });
}

function explain(missed: readonly Aim[], reasons: readonly Reason[]): string[] {
  const given = reasons.filter(({ about }) => missed.some(({ what }) => what.startsWith(about)));
  const without = missed.filter(({ what }) => !reasons.some(({ about }) => what.startsWith(about)));
  return [
    ...given.map(({ about, reason }) => `**Missed: ${about}.** ${reason}`),
    ...without.map(({ what }) => `**Missed: ${what}.** ${NO_REASON}`),
  ];
}
