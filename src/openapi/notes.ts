import { type Assumption, assumptions } from "../spec/assumptions.ts";

/** A part of the document that has a description. */
export interface Described {
  readonly description: string;
}

/** Adds assumptions to a part of the document: as text in its description, and as ids in `x-assumptions`. */
export function noted<Part extends Described>(part: Part, ...listed: readonly string[]): Part {
  const ids = [...new Set(listed)];
  if (ids.length === 0) return part;
  const notes = ids.map((id) => toNote(find(id)));
  return { ...part, description: [part.description, ...notes].join("\n\n"), "x-assumptions": ids };
}

function toNote({ id, found, choice }: Assumption): string {
  return `**Assumption \`${id}\`.** ${found} *In payments-sdk and its sandbox:* ${choice}`;
}

function find(id: string): Assumption {
  const assumption = assumptions.find((one) => one.id === id);
  if (assumption === undefined) throw new Error(`There is no assumption ${id} in src/spec/assumptions.ts.`);
  return assumption;
}

/** The ids of all assumptions that are noted anywhere in a part of the document. */
export function notedIn(part: unknown): ReadonlySet<string> {
  if (typeof part !== "object" || part === null) return new Set();
  const inner = Object.entries(part).flatMap(([name, value]) =>
    name === "x-assumptions" ? (value as readonly string[]) : [...notedIn(value)],
  );
  return new Set(inner);
}
