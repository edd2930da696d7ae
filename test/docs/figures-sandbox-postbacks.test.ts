import { createGateway, type PostbackOptions } from "payments-sdk/sandbox";
import { onTestFinished, vi } from "vitest";
import { aPix, merchantAt } from "../support/merchant.ts";
import { testClaims } from "./support/figures.ts";

const PAGE = "docs/sandbox.md";

/** A gateway whose clock stands still, with a pix that wants postbacks. */
async function openWithPix(postbacks: PostbackOptions) {
  const gateway = createGateway({ now: 0, postbacks });
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const { id } = await merchantAt(baseUrl, { secretKey, publicKey, fetch }).payments.transactions.createPix(
    aPix({ postbackUrl: "https://shop.example/postbacks" }),
  );
  return { gateway, id };
}

/** When a postback is tried that nobody takes, in milliseconds since the change. */
async function attemptsOf(options: PostbackOptions = {}): Promise<number[]> {
  const { gateway, id } = await openWithPix({
    fetch: async () => new Response(null, { status: 500 }),
    ...options,
  });
  gateway.pay(id);
  for (let waits = 0; waits < 20; waits += 1) {
    await gateway.settled();
    const { nextAttemptAt } = gateway.deliveries[0] ?? {};
    if (nextAttemptAt === undefined) break;
    gateway.clock.advance(Math.max(0, Date.parse(nextAttemptAt) - gateway.clock.now()));
  }
  return gateway.deliveries[0]?.attempts.map(({ at }) => Date.parse(at)) ?? [];
}

/** Milliseconds that a receiver has. */
async function patience(): Promise<unknown> {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeout.mockRestore());
  await attemptsOf({ fetch: async () => new Response() });
  return timeout.mock.lastCall?.[0];
}

/** Postbacks before a pix is paid, and after. */
async function deliveriesOf(): Promise<number[]> {
  const { gateway, id } = await openWithPix({ fetch: async () => new Response() });
  const before = gateway.deliveries.length;
  gateway.pay(id);
  return [before, gateway.deliveries.length];
}

testClaims([
  [PAGE, "| `delayMs` | 0 |", 0, async () => (await attemptsOf())[0]],
  [PAGE, "| `retries` | 4 |", 4, async () => (await attemptsOf()).length - 1],
  [
    PAGE,
    "| `backoffMs` | 1000 | until the first retry; each further one waits twice as long |",
    [1_000, 1_000 + 2_000, 1_000 + 2_000 + 4_000],
    async () => (await attemptsOf()).slice(1, 4),
  ],
  [PAGE, "| `timeoutMs` | 10000 |", 10_000, patience],
  [PAGE, "| `duplicates` | 0 |", 1, async () => (await deliveriesOf())[1]],
  [
    PAGE,
    "| `reorder` | `false` | each comes after the next one of its transaction, or 5 s late |",
    [0, 5_000],
    async () => [(await attemptsOf())[0], (await attemptsOf({ reorder: true }))[0]],
  ],
  [PAGE, "| `onCreation` | `false` |", 0, async () => (await deliveriesOf())[0]],
]);
