/** A line of the table of the benchmark of the stores. A cell has one figure for each number of filled rows. */
export interface Row {
  readonly label: string;
  /** At most, unless it says otherwise. */
  readonly goal: string;
  readonly byHand?: string;
  /** With default options. */
  readonly store: string;
  /** With `commits: true, prepare: true`; beside named statements. */
  readonly withOptions?: string | undefined;
}
