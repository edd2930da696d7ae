/** How often each name comes; all names that there are stand in it. */
export function countOf(
  items: readonly string[],
  names: readonly string[],
): Readonly<Record<string, number>> {
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}
