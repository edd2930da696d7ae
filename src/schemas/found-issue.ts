/** A problem with something that a caller passed in. */
export interface FoundIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
