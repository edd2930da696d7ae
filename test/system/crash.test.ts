import { expect, test } from "vitest";
import { crashRun } from "../../scripts/crash/crash-run.ts";
import { DATABASE_KINDS } from "../../scripts/crash/databases.ts";
import { postbackRun } from "../../scripts/crash/postback-run.ts";
import { missingMariadb } from "../support/mariadb-server.ts";
import { missingRedis } from "../support/redis-server.ts";
import { readSeed } from "./support/chance.ts";

const MISSING: Readonly<Record<string, string | undefined>> = {
  redis: missingRedis,
  mariadb: missingMariadb,
};

test.for(DATABASE_KINDS)(
  "on %s no one is charged twice, whenever three processes for each order are killed",
  async (kind, { skip }) => {
    skip(MISSING[kind] !== undefined, MISSING[kind]);

    const { chargedTwice, unresolved, wrong, text } = await crashRun(kind, {
      seed: readSeed(),
      count: 14,
    }); // `npm run crash` kills more

    const [crashed = 0, afterPostbacks = 0, settled] = unresolved;
    expect(wrong, text).toEqual([]);
    expect(chargedTwice, text).toEqual([]);
    expect(afterPostbacks, text).toBeLessThan(crashed);
    expect(afterPostbacks, text).toBeGreaterThan(0);
    expect(settled, text).toBe(0);
  },
);

test.for(DATABASE_KINDS)(
  "on %s what was paid is shipped, whenever three shops whose callback fails half of the time are killed",
  async (kind, { skip }) => {
    skip(MISSING[kind] !== undefined, MISSING[kind]);

    const { lost, wrong, text } = await postbackRun(kind, { seed: readSeed(), count: 40 });

    expect(lost, text).toEqual([]);
    expect(wrong, text).toEqual([]);
  },
);
