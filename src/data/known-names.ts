import type * as z from "zod/mini";
import { nearestName } from "./nearest-name.ts";
import type { FoundIssue } from "./snapshot.ts";

/** Dotted paths of names that exist elsewhere in the API, with the reason why they are refused here. */
export type ForeignNames = Readonly<Record<string, string>>;

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** What a schema is of, below what makes it optional or changes its value. */
interface Inside {
  /** The fields of an object. */
  readonly shape?: Shape;
  readonly _zod: {
    readonly def: {
      readonly innerType?: z.ZodMiniType;
      readonly in?: z.ZodMiniType;
      /** The entries of an array. */
      readonly element?: z.ZodMiniType;
    };
  };
}

function insideOf(schema: z.ZodMiniType): Inside {
  const inside = schema as unknown as Inside;
  const inner = inside._zod.def.innerType ?? inside._zod.def.in;
  return inner === undefined ? inside : insideOf(inner);
}

/** Whether a schema is of an object with fields of its own. */
export function hasFields(schema: z.ZodMiniType): boolean {
  return insideOf(schema).shape !== undefined;
}

/** What a schema says of the field at a path; `undefined` where it knows none. */
export function fieldAt(schema: z.ZodMiniType, path: readonly string[]): z.ZodMiniType | undefined {
  let field: z.ZodMiniType | undefined = schema;
  for (const name of path) {
    const shape: Shape = field === undefined ? {} : (insideOf(field).shape ?? {});
    field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  }
  return field;
}

/** An issue for each name in `value`, however deep, that the schema does not know. */
export function unknownNames(schema: z.ZodMiniType, value: unknown, foreign: ForeignNames): FoundIssue[] {
  const found: FoundIssue[] = [];
  findUnknown(schema, value, { path: [], foreign, found });
  return found;
}

interface Search {
  /** Where in the value it is; copied only for an issue, because most values have none. */
  readonly path: (string | number)[];
  readonly foreign: ForeignNames;
  readonly found: FoundIssue[];
}

function findUnknown(schema: z.ZodMiniType, value: unknown, search: Search): void {
  if (typeof value !== "object" || value === null) return;
  const { shape, _zod } = insideOf(schema);
  const { element } = _zod.def;
  if (!Array.isArray(value)) {
    if (shape !== undefined) findUnknownMembers(shape, value, search);
  } else if (element !== undefined) {
    for (const [index, entry] of value.entries()) findIn(element, entry, index, search);
  }
}

function findUnknownMembers(shape: Shape, value: object, search: Search): void {
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const member: unknown = Reflect.get(value, key);
    const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (known !== undefined) findIn(known, member, key, search);
    else if (member !== undefined) {
      const path = [...search.path, key];
      search.found.push({ path, message: explain(key, shape, reasonAt(path, search.foreign)) });
    }
  }
}

function findIn(schema: z.ZodMiniType, value: unknown, step: string | number, search: Search): void {
  search.path.push(step);
  findUnknown(schema, value, search);
  search.path.pop();
}

/** Why a name that exists elsewhere is refused at a path. */
export function reasonAt(path: readonly (string | number)[], foreign: ForeignNames): string | undefined {
  const dotted = path.join(".");
  return Object.hasOwn(foreign, dotted) ? foreign[dotted] : undefined;
}

function explain(key: string, shape: Readonly<Record<string, unknown>>, reason: string | undefined): string {
  if (reason !== undefined) return reason;
  const meant = nearestName(key, Object.keys(shape));
  return meant === undefined
    ? "is not a field that the specification names (extraBody sends such fields as they are)"
    : `is not a known field (did you mean ${meant}?)`;
}
