/** Quotes a word of a suggested command, which may be data, for a POSIX shell. */
export function quoteForShell(word: string): string {
  return /^[\w./:@%+,-][\w./:@%+=,-]*$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
