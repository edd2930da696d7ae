/** How much patience there is: `quick` only shows that a measurement runs, and its figures mean nothing. */
export type Effort = "full" | "quick";

/** One question that the benchmarks answer. */
export interface Measurement {
  /** What it is called on the command line: `npm run bench -- <name>`. */
  readonly name: string;
  readonly run: (effort: Effort, choice?: Choice) => Promise<Section>;
}

/** A measurement's part of the results. */
export interface Section {
  readonly title: string;
  /** What was done, how often, and what differs between the contenders. */
  readonly text: string;
  readonly tables: readonly Table[];
  readonly aims: readonly Aim[];
}

export interface Table {
  /** Above the table; may be empty. */
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a figure of ours should be. */
export interface Aim {
  /** What is measured, with the circumstances. */
  readonly what: string;
  readonly unit: string;
  /** The most that it may be. */
  readonly limit: number;
  readonly found: number;
}

/** What the command line can narrow a measurement to; a measurement may know nothing of it. */
export interface Choice {
  /** Names of contenders. */
  readonly only?: readonly string[];
  /** Kinds of orders. */
  readonly kinds?: readonly string[];
  readonly patience?: { readonly rounds?: number };
}
