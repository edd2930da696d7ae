import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { chosen, readSeed } from "./storm/chance.ts";
import { DELIVERIES } from "./storm/deliveries.ts";
import type { Figures } from "./storm/figures.ts";
import { Storm } from "./storm/storm.ts";

const seed = readSeed();

/** So long that no test outlasts it: where nobody dies, each claim has to be given back. */
const LONG_LEASE_MS = 120_000;

/** So short that what a dead receiver held is soon free again. */
const SHORT_LEASE_MS = 1_000;

/** Each ends with a kill at any moment, and one at the worst: after a success, before the record of it. */
const LIVES = 4;

/** What a receiver answers that works, and what comes of one that does not. */
const ANSWERS = ["200 duplicate", "200 handled", "500 handler_failed", "503 busy", "no answer"];

test("a receiver that is stopped and started half-way handles every postback exactly once", async () => {
  const storm = await Storm.prepare({
    title: "a receiver that is stopped and started",
    seed,
    leaseMs: LONG_LEASE_MS,
  });
  const first = await storm.start();

  const figures = await storm.rage(async () => {
    await storm.service.answersMore(DELIVERIES / 2);
    first.signal("SIGTERM");
    expect(await first.ended).toBe(0);
    await storm.start();
  });

  expectExactlyOnce(figures);
  expect(figures.receivers).toEqual([1, 2]);
  await expectNothingRunsAgain(storm);
});

test("two receivers of one database handle every postback exactly once", async () => {
  const storm = await Storm.prepare({ title: "two receivers of one database", seed, leaseMs: LONG_LEASE_MS });
  await storm.startTwo();

  const figures = await storm.rage();

  expectExactlyOnce(figures);
  expect(figures.receivers).toEqual([1, 2]);
  await expectNothingRunsAgain(storm);
});

test("a receiver that is killed handles every postback, and at most one of them again for each kill", async () => {
  const storm = await Storm.prepare({ title: "a receiver that is killed", seed, leaseMs: SHORT_LEASE_MS });
  let receiver = await storm.start();

  const figures = await storm.rage(async () => {
    for (let life = 1; life <= LIVES; life += 1) {
      await storm.service.answersMore(chosen(60, 140, seed, "answers of life", life));
      await setTimeout(chosen(0, 20, seed, "milliseconds of life", life));
      receiver.signal("SIGKILL");
      await storm.killed(receiver);
      receiver = await storm.start({ diesAfter: chosen(5, 25, seed, "successes of life", life) });
      await storm.killed(receiver);
      receiver = await storm.start();
    }
  });

  expectAllHandled(figures);
  expect(figures.kills).toBe(2 * LIVES);
  expect(figures.repeats).toBeLessThanOrEqual(2 * LIVES);
  expect(figures.repeats).toBeGreaterThanOrEqual(LIVES); // half of them came at the worst moment
  await expectNothingRunsAgain(storm);
});

function expectAllHandled({ changes, lost, answers, sent, runs, throws }: Figures): void {
  expect(changes).toBe(800);
  expect(lost).toEqual([]);
  expect(Object.keys(answers).filter((name) => !ANSWERS.includes(name))).toEqual([]);
  expect(count(answers, "200 handled") + count(answers, "200 duplicate")).toBe(DELIVERIES);
  expect(Object.values(answers).reduce((sum, number) => sum + number)).toBe(sent);
  // A storm that meets none of this would prove nothing.
  expect(count(answers, "503 busy")).toBeGreaterThan(0);
  expect(throws / runs).toBeGreaterThan(0.1);
  expect(throws / runs).toBeLessThan(0.3);
}

function expectExactlyOnce(figures: Figures): void {
  expectAllHandled(figures);
  const { answers, successes, throws, runs, repeats, kills } = figures;
  expect({ successes, repeats, kills }).toEqual({ successes: 800, repeats: 0, kills: 0 });
  // Nothing that had begun was cut off, and each run was answered as it ended.
  expect(runs).toBe(successes + throws);
  expect(count(answers, "200 handled")).toBe(successes);
  expect(count(answers, "500 handler_failed")).toBe(throws);
}

async function expectNothingRunsAgain(storm: Storm): Promise<void> {
  const before = storm.journal();

  const answers = await storm.redeliver();

  expect(Object.fromEntries(answers)).toEqual({ "200 duplicate": DELIVERIES });
  expect(storm.journal()).toBe(before);
  expect(storm.complaints()).toBe("");
}

function count(answers: Figures["answers"], name: string): number {
  return answers[name] ?? 0;
}
