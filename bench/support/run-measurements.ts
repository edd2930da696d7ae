import type { Measurement, Section } from "./measurement.ts";

/** Hears of each measurement as it ends. */
export interface Progress {
  readonly onSection: (section: Section) => void;
  readonly onFailure: (name: string, error: unknown) => void;
}

/** A measurement that can be loaded. */
export interface Loadable {
  readonly name: string;
  readonly load: () => Promise<Measurement>;
}

export interface Ran {
  readonly sections: readonly Section[];
  /** Names of those that gave no section. */
  readonly failed: readonly string[];
}

/** One after the other; where one fails the others still run. */
export async function runMeasurements(
  loadables: readonly Loadable[],
  run: (measurement: Measurement) => Promise<Section>,
  { onSection, onFailure }: Progress,
): Promise<Ran> {
  const sections: Section[] = [];
  const failed: string[] = [];
  for (const { name, load } of loadables) {
    try {
      const section = await run(await load());
      sections.push(section);
      onSection(section);
    } catch (error) {
      failed.push(name);
      onFailure(name, error);
    }
  }
  return { sections, failed };
}
