/** A silence or a contradiction of the specification, and what we made of it. */
export interface Assumption {
  /** Stable name, for links. */
  readonly id: string;
  /** Part of the specification, by its heading. */
  readonly section: string;
  /** What the specification says, or leaves open. */
  readonly found: string;
  /** What the SDK and its sandbox do. */
  readonly choice: string;
  /** The option that switches to the other reading, where a merchant could need it. */
  readonly option?: string;
}
