/** Insertions, deletions and replacements that turn one word into the other. */
function distance(from: string, to: string): number {
  let edits = to.length;
  let above = Array.from({ length: to.length }, (_, column) => column + 1);
  for (const [row, letter] of [...from].entries()) {
    let diagonal = row;
    edits = row + 1;
    above = above.map((up, column) => {
      edits = Math.min(diagonal + (letter === to[column] ? 0 : 1), up + 1, edits + 1);
      diagonal = up;
      return edits;
    });
  }
  return edits;
}

/** Longer names than this are not typos, and comparing them costs time. */
const LONGEST_NAME = 40;

/** The known name that was probably meant, if one is close enough. Case, underscores and dashes do not count. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, "");
  let best: { name: string; edits: number } | undefined;
  for (const candidate of known) {
    const edits = distance(plain(name), plain(candidate));
    // Two swapped letters are two edits; in a name of two or three letters, that is another name.
    const allowed = candidate.length > 3 ? Math.max(2, Math.floor(candidate.length / 3)) : 1;
    if (edits <= allowed && (best === undefined || edits < best.edits)) best = { name: candidate, edits };
  }
  return best?.name;
}
