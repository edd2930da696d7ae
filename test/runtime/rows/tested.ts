import { ROWS } from "./rows.ts";

/** What the documentation has to name: each label with its versions, in the order of the matrix. */
export function testedVersions(): Record<string, string[]> {
  const versions: Record<string, string[]> = {};
  for (const { label, version, group } of ROWS) {
    if (group !== "commands") versions[label] = [...(versions[label] ?? []), version];
  }
  return versions;
}
