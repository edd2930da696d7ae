import { type Assumption, assumptions } from "../src/spec/assumptions.ts";

const INTRODUCTION = `# The specification, its silences and our choices

The service has one specification, which leaves things open and contradicts itself. This page has its sections, in its order, with
what each leaves open, what the SDK and the sandbox do, and the option that switches to the other reading, if there is one.

It is generated from \`src/spec/assumptions.ts\` by \`npm run pages\`: change it there.`;

function entry({ id, found, choice, option }: Assumption): string {
  const lines = [`### ${id}`, `**Specification:** ${found}`, `**Choice:** ${choice}`];
  if (option !== undefined) lines.push(`**Switch:** \`${option}\``);
  return lines.join("\n\n");
}

/** The page of the documentation that lists every assumption, by the section of the specification. */
export function specificationPage(): string {
  const sections = [...new Set(assumptions.map(({ section }) => section))];
  const parts = sections.flatMap((section) => {
    const entries = assumptions.filter((assumption) => assumption.section === section);
    return [`## ${section}`, ...entries.map(entry)];
  });
  return `${[INTRODUCTION, ...parts].join("\n\n")}\n`;
}
