import { expect, onTestFailed, test } from "vitest";
import { missingRedis } from "../support/redis-server.ts";
import { type CrashFigures, crashWithoutStore, crashWithStore } from "./crash/crash-run.ts";
import { blockOf, missingIn } from "./crash/figures.ts";
import { DATABASE_KINDS } from "./crash/start-database.ts";
import { readSeed } from "./storm/chance.ts";

const COUNT = 14;

const options = { seed: readSeed(), count: COUNT };

async function shown<Figures extends CrashFigures>(
  title: string,
  figures: Promise<Figures>,
): Promise<Figures> {
  onTestFailed(() => console.log(`PAYMENTS_STORM_SEED=${options.seed} makes the same choices again.`));
  const start = performance.now();
  const came = await figures;
  console.log(blockOf(title, options, came, (performance.now() - start) / 1000));
  return came;
}

test.for(DATABASE_KINDS)(
  "on %s nobody is charged twice, whenever three processes an order are killed",
  async (kind, { skip }) => {
    skip(kind === "redis" && missingRedis !== undefined, missingRedis);
    const figures = await shown(`on ${kind}`, crashWithStore(kind, options));

    expect(missingIn(figures)).toEqual([]); // a run that meets less would prove less
    expect(figures.chargedTwice).toEqual([]);
    expect(figures.wrong).toEqual([]);
    const { kills, crashed, heard, resolved, settled } = figures;
    expect(Object.values(kills).reduce((sum, number) => sum + number)).toBe(3 * COUNT);
    expect(heard.unresolved).toBeLessThan(crashed.unresolved);
    expect(resolved).toBe(heard.unresolved);
    expect(resolved).toBeGreaterThan(0);
    expect(settled.unresolved).toBe(0);
  },
);

test("the same without a store charges somebody twice", async () => {
  const figures = await shown("without a store", crashWithoutStore(options));

  expect(figures.chargedTwice.length).toBeGreaterThan(0);
});
