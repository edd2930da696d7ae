import { expect, test } from "vitest";
import { crashRun } from "../../scripts/crash/crash-run.ts";
import { DATABASE_KINDS } from "../../scripts/crash/databases.ts";
import { missingRedis } from "../support/redis-server.ts";
import { readSeed } from "./support/chance.ts";

test.for(DATABASE_KINDS)(
  "on %s no one is charged twice, whenever three processes for each order are killed",
  async (kind, { skip }) => {
    skip(kind === "redis" && missingRedis !== undefined, missingRedis);

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
