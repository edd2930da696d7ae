/** A path into an object, and the new value there. */
export interface Mutation {
  readonly path: readonly string[];
  /** `undefined` removes the field. */
  readonly value: unknown;
}

/** Every path into an object, its arrays included. */
export function pathsOf(value: unknown, parentPath: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [
    [...parentPath, key],
    ...pathsOf(entry, [...parentPath, key]),
  ]);
}

/** A copy with some of its fields replaced. */
export function mutate<Value>(value: Value, mutations: readonly Mutation[]): Value {
  const copy = structuredClone(value);
  for (const { path, value: replacement } of mutations) {
    let parent: unknown = copy;
    for (const step of path.slice(0, -1)) parent = isContainer(parent) ? parent[step] : undefined;
    const last = path.at(-1);
    if (last === undefined || !isContainer(parent)) continue;
    if (replacement === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = replacement;
  }
  return copy;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
