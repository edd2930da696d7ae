import type { Measurement } from "./measurement.ts";

/** All measurements in the order in which they run and are told. The longest and roughest is the last. */
export const NAMES = [
  "create",
  "idle",
  "allocations",
  "memory",
  "start-up",
  "first-answer",
  "browser-bundle",
  "postbacks",
  "stores",
  "sandbox",
  "install",
  "soak",
] as const;
export type Name = (typeof NAMES)[number];

/** The measurements of these names in their fixed order; all where there are no names. */
export function namesOf(asked: readonly string[]): readonly Name[] {
  const unknown = asked.filter((name) => !NAMES.some((known) => known === name));
  if (unknown.length > 0)
    throw new TypeError(`No measurement is called ${unknown.join(" or ")}. There are: ${NAMES.join(", ")}.`);
  return asked.length === 0 ? NAMES : NAMES.filter((name) => asked.includes(name));
}

export async function measurementOf(name: Name): Promise<Measurement> {
  const { measurement }: { measurement: Measurement } = await import(`../measurements/${name}.ts`);
  return measurement;
}
