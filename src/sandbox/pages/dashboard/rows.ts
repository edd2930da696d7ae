/** An entry of a list. Newer ones have higher ids. */
export interface Row {
  readonly id: number;
}

/** Replaces changed rows, and adds those that are new. The newest is first. */
export function mergeRows<T extends Row>(rows: readonly T[], changed: readonly T[]): readonly T[] {
  if (changed.length === 0) return rows;
  const added = new Map(changed.map((row) => [row.id, row]));
  const replaced = rows.map((row) => {
    const newer = added.get(row.id);
    added.delete(row.id);
    return newer ?? row;
  });
  return added.size === 0 ? replaced : [...added.values(), ...replaced].sort((a, b) => b.id - a.id);
}

/** Replaces changed rows. */
export function replaceRows<T extends Row>(rows: readonly T[], changed: readonly T[]): readonly T[] {
  const ids = new Set(rows.map(({ id }) => id));
  return mergeRows(
    rows,
    changed.filter(({ id }) => ids.has(id)),
  );
}
