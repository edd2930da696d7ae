import { inRounds, patienceBy, type Run } from "../rounds/rounds.ts";
import { BARE, closeAll, MISSING, openStores } from "../stores/open-stores.ts";
import { Shop } from "../stores/shop.ts";
import type { Measurement, Section } from "../support/measurement.ts";
import { startServer } from "../support/start-server.ts";
import { median } from "../support/statistics.ts";

const PATIENCE = {
  full: { rounds: 7, warmUp: 1, creates: 240 },
  quick: { rounds: 1, warmUp: 0, creates: 16 },
};
const MANY = 16;

interface Measured {
  readonly name: string;
  readonly alone: readonly number[];
  readonly many: readonly number[];
  readonly operations: number;
  readonly roundTrips: number | undefined;
}

export const measurement: Measurement = {
  name: "stores",
  run: async (effort, choice) => {
    const patience = patienceBy(PATIENCE[effort], choice);
    await using server = await startServer();
    const stores = await openStores();
    try {
      const shops = stores.map((store) => new Shop(server.urls.card, store));
      return sectionOf(await measure(shops, patience), patience);
    } finally {
      await closeAll(stores);
    }
  },
};

async function measure(shops: readonly Shop[], patience: typeof PATIENCE.full): Promise<readonly Measured[]> {
  const { creates } = patience;
  const runs = (atATime: number): Promise<readonly Run[]> =>
    inRounds(
      shops.map((shop) => ({
        name: shop.name,
        measure: async () => (await shop.createMany(creates, atATime)) / creates,
      })),
      patience,
    );
  const alone = await runs(1);
  const many = await runs(MANY);
  const measured: Measured[] = [];
  for (const [at, shop] of shops.entries()) {
    const usage = await shop.usage(creates);
    measured.push({
      name: shop.name,
      alone: alone[at]?.figures ?? [],
      many: many[at]?.figures ?? [],
      ...usage,
    });
  }
  return measured;
}

function sectionOf(
  measured: readonly Measured[],
  { rounds, creates }: { rounds: number; creates: number },
): Section {
  const bare = measured.find(({ name }) => name === BARE);
  return {
    title: "The idempotency stores",
    text: [
      `${rounds} rounds of ${creates} card creates by our client, each store once in each (${BARE} twice), in an order of`,
      `chance; one at a time and ${MANY} at a time. The service and the databases are processes of their own on the same`,
      "machine, Redis (ioredis) and PostgreSQL (pg, a pool of 10) behind a unix socket, SQLite in a file in the temporary",
      "folder; all three answer when the disk has what they were told, as their documentation asks for, so the disk",
      "decides. SQLite works in the caller's thread, so that its creates come one after the other. Added is the median of",
      `what a create takes longer than with ${BARE} in the same round. Operations are those of the store that a create`,
      "asks for, round trips what is sent to its server.",
    ].join(" "),
    tables: [
      {
        caption: "",
        columns: [
          "store",
          "ms a create",
          "ms added",
          "creates a second",
          `creates a second, ${MANY} at a time`,
          "operations a create",
          "round trips a create",
        ],
        rows: [
          ...measured.map((one) => [
            one.name,
            median(one.alone).toFixed(2),
            median(one.alone.map((ms, round) => ms - (bare?.alone[round] ?? Number.NaN))).toFixed(2),
            (1000 / median(one.alone)).toFixed(0),
            (1000 / median(one.many)).toFixed(0),
            String(one.operations),
            one.roundTrips === undefined ? "none" : one.roundTrips.toFixed(2),
          ]),
          ...[...MISSING].map(([name, why]) => [name, `not measured: ${why}`, "", "", "", "", ""]),
        ],
      },
    ],
    aims: [],
  };
}
