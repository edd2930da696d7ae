/** The value below which a share of the values lies, between two neighbours by their distance to it. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new RangeError("There is no quantile of no values.");
  return below + (above - below) * (place - Math.floor(place));
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

/** A median and how far the values are from each other. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function spreadOf(values: ArrayLike<number>): Spread {
  return { median: median(values), least: quantile(values, 0), most: quantile(values, 1) };
}

/** The values in an order of chance: a fixed one favours whoever follows a cheap neighbour. */
export function shuffled<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
