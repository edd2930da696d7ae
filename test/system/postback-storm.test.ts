import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, onTestFailed, test } from "vitest";
import { DELIVERIES, Storm } from "./storm/storm.ts";
import { chosen, readSeed } from "./support/chance.ts";

const seed = readSeed();

/** Longer than a test: unless a process dies, each claim must be released. */
const LONG_LEASE_MS = 120_000;

/** So short that the claims of a killed receiver soon end. */
const SHORT_LEASE_MS = 1_000;

/** Each ends with a kill at a random moment, and a kill at the worst one: between a success and its record. */
const LIVES = 4;

/** The possible responses, and none from a killed receiver. */
const REPLIES = ["200 duplicate", "200 handled", "500 handler_failed", "503 busy", "no answer"];

beforeEach(() => {
  onTestFailed(() => console.log(`PAYMENTS_STORM_SEED=${seed} repeats this run.`));
});

test("two receivers of one database handle every postback exactly once", async () => {
  const storm = await Storm.prepare(seed, LONG_LEASE_MS);
  await storm.start(2);

  const figures = await rage(storm);

  expectExactlyOnce(figures);
  await expectNothingRunsAgain(storm);
});

test("a killed receiver handles every postback, and repeats at most one for each kill", async () => {
  const storm = await Storm.prepare(seed, SHORT_LEASE_MS);
  let receiver = await storm.start();

  const figures = await rage(storm, async () => {
    for (let life = 1; life <= LIVES; life += 1) {
      await storm.answersMore(chosen(60, 140, seed, "answers of life", life));
      await setTimeout(chosen(0, 20, seed, "milliseconds of life", life));
      receiver.kill();
      const diesAfter = chosen(5, 25, seed, "successes of life", life);
      receiver = await storm.start(1, { diesAfter });
      expect(await receiver.ended).toBe("SIGKILL");
      receiver = await storm.start();
    }
  });

  expectAllHandled(figures);
  expect(figures.repeats).toBeLessThanOrEqual(2 * LIVES);
  expect(figures.repeats).toBeGreaterThanOrEqual(LIVES); // half of the kills were at the worst moment
  await expectNothingRunsAgain(storm);
});

type Figures = ReturnType<Storm["figures"]>;

async function rage(storm: Storm, meanwhile?: () => Promise<void>): Promise<Figures> {
  const [answers] = await Promise.all([storm.deliver(), meanwhile?.()]);
  return storm.figures(answers);
}

function expectAllHandled({ lost, answers, runs, throws }: Figures): void {
  expect(lost).toEqual([]);
  expect(Object.keys(answers).filter((name) => !REPLIES.includes(name))).toEqual([]);
  expect((answers["200 handled"] ?? 0) + (answers["200 duplicate"] ?? 0)).toBe(DELIVERIES);
  // Without these the storm would prove nothing.
  expect(answers["503 busy"]).toBeGreaterThan(0);
  expect(throws / runs).toBeGreaterThan(0.1);
  expect(throws / runs).toBeLessThan(0.3);
}

function expectExactlyOnce(figures: Figures): void {
  expectAllHandled(figures);
  const { answers, successes, throws, runs, repeats, receivers } = figures;
  expect({ successes, repeats, receivers }).toEqual({ successes: 800, repeats: 0, receivers: [1, 2] });
  // No run was cut off, and each had the right response.
  expect(runs).toBe(successes + throws);
  expect(answers["200 handled"]).toBe(successes);
  expect(answers["500 handler_failed"]).toBe(throws);
}

async function expectNothingRunsAgain(storm: Storm): Promise<void> {
  const before = storm.journal();

  const answers = await storm.deliver();

  expect(answers).toEqual({ "200 duplicate": DELIVERIES });
  expect(storm.journal()).toBe(before);
  expect(storm.complaints()).toBe("");
}
