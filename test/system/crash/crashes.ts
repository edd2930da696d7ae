import { Slots } from "../storm/slots.ts";
import type { Death } from "./merchants.ts";
import type { Attempt, Order } from "./plan.ts";
import type { Scene } from "./scene.ts";

/** Nine processes at most: for each there is a listener on the end of this one, and Node complains of more than ten. */
const ORDERS_AT_ONCE = 3;

/** Lets every process of every order live and die; those of other orders at the same time. */
export async function crashAll(orders: readonly Order[], scene: Scene): Promise<readonly Crash[]> {
  await warmUp(scene);
  const slots = new Slots(ORDERS_AT_ONCE);
  const crashes = orders.map((order) => slots.use(() => crashOrder(order, scene)));
  return (await Promise.all(crashes)).flat();
}

/** An attempt, and what came of it. */
export interface Crash extends Death {
  readonly attempt: Attempt;
}

async function crashOrder(order: Order, { merchants, settingsOf }: Scene): Promise<readonly Crash[]> {
  const crash = async (attempt: Attempt): Promise<Crash> => ({
    attempt,
    ...(await merchants.run(attempt, await settingsOf(order, attempt.name))),
  });
  if (order.isRush) return Promise.all(order.attempts.map(crash));
  const crashes: Crash[] = [];
  for (const attempt of order.attempts) crashes.push(await crash(attempt));
  return crashes;
}

const WARM_UP: Order = {
  externalRef: "warm-up",
  amount: 100,
  card: undefined,
  isRush: false,
  isPaidAtOnce: false,
  isPostbackLost: false,
  attempts: [],
};

/** A process that nobody kills has to succeed: else the run would prove nothing. */
async function warmUp({ merchants, settingsOf }: Scene): Promise<void> {
  const words = await merchants.runWhole(await settingsOf(WARM_UP, WARM_UP.externalRef));
  const hasPaid = words.some((said) => said.type === "ended" && said.outcome === "created");
  if (!hasPaid) throw new Error(`A process that nobody killed did not succeed: ${JSON.stringify(words)}`);
}

/** Processes that were told that nobody was charged, though the service took what they sent. */
export function misled(crashes: readonly Crash[], taken: ReadonlySet<string>): readonly string[] {
  return crashes
    .filter(({ end }) => end?.outcome === "not_sent" || end?.outcome === "rejected")
    .map(({ attempt }) => attempt.name)
    .filter((name) => taken.has(name));
}
