const UNITS_IN_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `90s`, `15m`, `2h` or `3d`; `undefined` if the text is not one. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text.trim()) ?? [];
  const unitInMs = UNITS_IN_MS[unit];
  return unitInMs === undefined ? undefined : Number(count) * unitInMs;
}

/** An age in its largest whole unit: `45s`, `12m`, `3h`, `5d`. */
export function formatAge(ms: number): string {
  const [unit, unitInMs] = Object.entries(UNITS_IN_MS).findLast(([, inMs]) => ms >= inMs) ?? ["s", 1_000];
  return `${Math.max(0, Math.floor(ms / unitInMs))}${unit}`;
}
