import fc from "fast-check";
import { type Attempt, isFinal, move, type Status, type Transaction } from "./attempts.ts";
import { createdAs, NOT_CREATED, UNKNOWN } from "./orders.ts";
import { LEASE_MS, TIMEOUT_MS, type World } from "./world.ts";

/** Two numbers that choose what happens next. */
export type Step = readonly [choice: number, detail: number];

export const anySteps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.nat(9_999), fc.nat(9_999)), {
  minLength: 10,
  maxLength: 50,
  size: "max",
});

interface Action {
  readonly name: string;
  readonly weight: number;
  readonly run: (detail: number) => unknown;
}

/** Runs the chosen action, and appends it to the trace. */
export async function runStep(world: World, [choice, detail]: Step, trace: string[]): Promise<void> {
  const actions = listActions(world);
  let left = choice % actions.reduce((sum, { weight }) => sum + weight, 0);
  const action = actions.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  trace.push(`${action?.name} (${detail})`);
  await action?.run(detail);
  await world.observe();
}

function listActions(world: World): Action[] {
  const isBusy = world.attempts.some(({ phase }) => phase !== "over");
  return [
    { name: "claim", weight: isBusy ? 1 : 4, run: () => world.claim() },
    { name: "claim, replacing", weight: world.hasReplacements ? 3 : 0, run: () => world.claim(true) },
    { name: "a person looks", weight: 1, run: () => world.resolve(false) },
    {
      name: "time passes",
      weight: isBusy ? 2 : 0,
      run: (detail) => world.pass([1, LEASE_MS - TIMEOUT_MS, LEASE_MS + 1][detail % 3] ?? 0),
    },
    ...world.attempts.flatMap((attempt) => [
      ...listCallerActions(world, attempt),
      ...listRequestActions(world, attempt),
    ]),
    ...world.transactions.flatMap((transaction) => listTransactionActions(world, transaction)),
  ];
}

/** How a call may continue. */
function listCallerActions(world: World, attempt: Attempt): Action[] {
  const { order, phase, request, transaction } = attempt;
  const { owner } = order;
  if (phase === "over") return [];
  const crash: Action = {
    name: `${owner} crashes`,
    weight: 1,
    run: () => {
      attempt.phase = "over";
    },
  };
  if (phase === "claimed") {
    return [
      crash,
      { name: `${owner} sends`, weight: 4, run: () => world.send(attempt) },
      { name: `${owner} gives up`, weight: 1, run: () => world.end(attempt, NOT_CREATED) },
    ];
  }
  const ends: Action[] = [
    crash,
    { name: `${owner} times out`, weight: 2, run: () => world.end(attempt, UNKNOWN) },
  ];
  if (request === "lost") {
    ends.push({ name: `${owner} is rejected`, weight: 2, run: () => world.end(attempt, NOT_CREATED) });
  }
  if (transaction !== undefined) {
    const [status = "pending"] = transaction.history;
    const response = createdAs(status, transaction.id);
    ends.push({ name: `${owner} receives ${status}`, weight: 3, run: () => world.end(attempt, response) });
  }
  return ends;
}

function listRequestActions(world: World, attempt: Attempt): Action[] {
  if (attempt.request !== "inFlight") return [];
  const { owner } = attempt.order;
  const statuses: readonly Status[] = ["pending", "refused", "processing", "approved"];
  const statusOf = (detail: number) => statuses[detail % statuses.length] ?? "pending";
  return [
    {
      name: `the request of ${owner} is accepted`,
      weight: 3,
      run: (detail) => world.accept(attempt, statusOf(detail)),
    },
    {
      name: `the request of ${owner} is lost`,
      weight: 1,
      run: () => {
        attempt.request = "lost";
      },
    },
  ];
}

function listTransactionActions(world: World, transaction: Transaction): Action[] {
  const { id, history, status, reported } = transaction;
  const isGivenBack = status === "refunded" || status === "chargedback";
  return [
    {
      name: `${id} moves on from ${status}`,
      weight: isFinal(transaction) ? 0 : 2,
      run: (detail) => move(transaction, detail),
    },
    {
      name: `${id} is reported as ${status}`,
      weight: reported.has(status) ? 0 : 3,
      run: () => world.deliver(transaction, status),
    },
    {
      name: `${id} is reported late, or in part`,
      weight: 1,
      run: (detail) => {
        if (isGivenBack && detail % 2 === 0) return world.deliver(transaction, status, 500);
        return world.deliver(transaction, history[detail % history.length] ?? status);
      },
    },
  ];
}
