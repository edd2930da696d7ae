import { readFileSync } from "node:fs";
import { join } from "node:path";

/** docs/specification.md: what the specification leaves open, and what the SDK and the sandbox do, by id. */
const assumptions = readAssumptions();

function readAssumptions(): ReadonlyMap<string, { readonly found: string; readonly choice: string }> {
  const page = readFileSync(join(import.meta.dirname, "../../docs/specification.md"), "utf8");
  const entries = page.matchAll(/^### (.+)\n\n(.+)\n\n(.+?)(?: Option: `.+`)?$/gm);
  return new Map(Array.from(entries, ([, id = "", found = "", choice = ""]) => [id, { found, choice }]));
}

/** Adds assumptions, by their ids separated by spaces, to a part of the document: as text in its description, and as ids in `x-assumptions`. */
export function noted<Part extends { readonly description: string }>(part: Part, idsInText: string): Part {
  const ids = idsInText.match(/[\w-]+/g);
  if (ids === null) return part;
  const notes = ids.map((id) => {
    const assumption = assumptions.get(id);
    if (assumption === undefined) throw new Error(`docs/specification.md has no assumption ${id}.`);
    return `**Assumption \`${id}\`.** ${assumption.found} *In payments-sdk and its sandbox:* ${assumption.choice}`;
  });
  return { ...part, description: [part.description, ...notes].join("\n\n"), "x-assumptions": ids };
}

/** The ids of the assumptions that are noted nowhere in a part of the document. */
export function assumptionsNotIn(part: unknown): string {
  const text = JSON.stringify(part);
  return [...assumptions.keys()].filter((id) => !text.includes(`**Assumption \`${id}\`.**`)).join(" ");
}
