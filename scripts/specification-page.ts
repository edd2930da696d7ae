import { type Assumption, assumptions } from "../src/spec/assumptions.ts";

const INTRODUCTION = `# The specification, its silences and our choices

The service has one specification, and it leaves things open and contradicts itself. This page names each such
place, what we made of it, and the option that switches to the other reading, where there is one.

It is made from \`src/spec/assumptions.ts\` by \`npm run pages\`; change it there.
`;

function entry({ id, section, found, choice, option }: Assumption): string {
  const lines = [`### ${id}`, "", `**${section}.** ${found}`, "", choice];
  if (option !== undefined) lines.push("", `Switch: \`${option}\`.`);
  return lines.join("\n");
}

/** The page of the documentation that lists every assumption, by the part of the specification. */
export function specificationPage(): string {
  return `${[INTRODUCTION, ...assumptions.map(entry)].join("\n\n").replaceAll(/\n{3,}/g, "\n\n")}\n`;
}
