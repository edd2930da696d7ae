import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A part of docs/openapi.json that lists assumptions. */
interface NotedPart {
  description: string;
  "x-assumptions": string[];
}

interface OpenApiDocument {
  readonly info: NotedPart;
}

/** What the specification leaves open, and what the SDK and the sandbox do, by id. */
function readAssumptions(): ReadonlyMap<string, string> {
  const page = readFileSync(join(import.meta.dirname, "../docs/specification.md"), "utf8");
  const entries = page.matchAll(/^### (.+)\n\n(.+)\n\n(.+?)(?: Option: `.+`)?$/gm);
  const toNote = ([, id = "", found = "", choice = ""]: RegExpExecArray) =>
    [id, `**Assumption \`${id}\`.** ${found} *In payments-sdk and its sandbox:* ${choice}`] as const;
  return new Map(Array.from(entries, toNote));
}

/**
 * A copy of an OpenAPI document in which each part that lists assumptions in `x-assumptions` ends its description with
 * their text, as docs/specification.md has it. Assumptions that no other part lists are those of the whole document.
 */
export function withAssumptionNotes<Document extends OpenApiDocument>(document: Document): Document {
  const copy = structuredClone(document);
  const assumptions = readAssumptions();
  const listed = Object.values({ ...copy, info: undefined }).flatMap(findNotedParts);
  const known = new Set(listed.flatMap((part) => part["x-assumptions"]));
  copy.info["x-assumptions"] = [...assumptions.keys()].filter((id) => !known.has(id));
  for (const part of [copy.info, ...listed]) {
    const notes = part["x-assumptions"].map((id) => {
      const note = assumptions.get(id);
      if (note === undefined) throw new Error(`docs/specification.md has no assumption ${id}.`);
      return note;
    });
    const [description = ""] = part.description.split("\n\n**Assumption `");
    part.description = [description, ...notes].join("\n\n");
  }
  return copy;
}

function findNotedParts(value: unknown): NotedPart[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(findNotedParts);
  return "x-assumptions" in value ? [value as NotedPart, ...inner] : inner;
}
