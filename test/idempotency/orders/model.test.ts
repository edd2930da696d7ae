import fc from "fast-check";
import { memoryStore } from "payments-sdk/idempotency";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UNKNOWN } from "../support/orders.ts";
import { anySteps, runStep, type Step } from "../support/steps.ts";
import { type Tally, World } from "../support/world.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

async function run(world: World, steps: readonly Step[]) {
  const trace: string[] = [];
  try {
    for (const step of steps) await runStep(world, step, trace);
    trace.push("in the end");
    await world.expectNothingHidden();
    await world.expectAllKnownInTheEnd();
  } catch (error) {
    throw new Error(`A promise was broken after: ${trace.join(", ")}.`, { cause: error });
  }
}

/** A world in which a person reported that the first attempt charged no one, while its request was in flight. */
async function afterAMistake(tally: Tally): Promise<World> {
  const world = new World(memoryStore(), tally);
  await world.claim();
  for (const attempt of world.attempts) {
    await world.send(attempt);
    await world.end(attempt, UNKNOWN);
  }
  await world.resolve(true);
  await world.claim();
  return world;
}

/** A run without these events would prove nothing. */
const EXPECTED_EVENTS: readonly string[] = [
  "sent",
  "not sent: too late",
  "claim: claimed",
  "claim: unresolved",
  "claim: created",
  "ended late",
  "accepted after its end",
  "postback before the end",
  "paid after it had expired",
  "resolved by a transaction",
  "resolved as not charged",
];

test("two attempts never charge, no transaction is forgotten, and no order stays hidden", async () => {
  const tally: Tally = {};

  await fc.assert(
    fc.asyncProperty(anySteps, (steps) => run(new World(memoryStore(), tally), steps)),
    { numRuns: 500 },
  );

  expect(EXPECTED_EVENTS.filter((what) => !tally[what])).toEqual([]);
}, 60_000);

test("a person's mistake about one attempt does not allow a duplicate of another", async () => {
  const tally: Tally = {};

  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => run(await afterAMistake(tally), steps)),
    { numRuns: 1_200 },
  );

  expect(EXPECTED_EVENTS.filter((what) => !tally[what])).toEqual([]);
}, 60_000);

test("replacing a lost pix never hides a paid one, and keeps the same promises", async () => {
  const tally: Tally = {};

  await fc.assert(
    fc.asyncProperty(anySteps, (steps) => run(new World(memoryStore(), tally, true), steps)),
    { numRuns: 1_200 },
  );

  expect([...EXPECTED_EVENTS, "replaced", "replaced while in flight"].filter((what) => !tally[what])).toEqual(
    [],
  );
}, 60_000);
