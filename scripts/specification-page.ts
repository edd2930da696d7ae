import { type Assumption, assumptions } from "../src/spec/assumptions.ts";

const INTRODUCTION = `# What the specification leaves open

The service's specification does not answer these questions, or contradicts itself. Each entry shows what the SDK or its
[sandbox](sandbox.md) does, and the option that changes it. The service may behave differently. This page is generated
by \`npm run pages\`.`;

/** The parts of the specification. Other sections are below one of these. */
const PARTS = [
  ...["General rules", "Resources and their fields", "States and transitions", "Endpoints"],
  ...["Authentication", "Events", "Errors", "Limits", "Versioning"],
];

function entry({ section, id, found, choice, option }: Assumption, at: number): string {
  const isFirst = section !== assumptions[at - 1]?.section && PARTS.includes(section);
  const text = option === undefined ? choice : `${choice} Option: \`${option}\``;
  return `${isFirst ? `## ${section}\n\n` : ""}### ${id}\n\n${found}\n\n${text}`;
}

/** The page of the documentation that lists every assumption, by the part of the specification. */
export function specificationPage(): string {
  return `${[INTRODUCTION, ...assumptions.map(entry)].join("\n\n")}\n`;
}
