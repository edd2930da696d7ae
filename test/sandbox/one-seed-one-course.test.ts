import fc from "fast-check";
import {
  createGateway,
  FAULT_KINDS,
  type Gateway,
  type GatewayOptions,
  MOVES,
  TEST_CARDS,
} from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { NOON } from "./support/posting.ts";
import { aReceiver, type Receiver } from "./support/receiver.ts";
import { aCard, aCardPayment, aPix, merchantOf } from "./support/wire.ts";

const DAY_MS = 86_400_000;

/** Every answer, move and postback of a day with a bit of everything. */
async function courseOf(options: GatewayOptions, { url: postbackUrl }: Receiver) {
  const gateway = createGateway({ now: NOON, postbacks: { duplicates: 1 }, ...options });
  const { create, get, token } = merchantOf(gateway);
  const newest = () => gateway.transactions.at(-1)?.id ?? 0;
  const answers: string[] = [];
  const say = async (answer: Promise<Response>) => answers.push(await (await answer).text());

  await say(create(aPix({ postbackUrl })));
  gateway.pay(newest());
  await gateway.settled();
  gateway.clock.advance(1_000); // what the receiver did not take comes again
  await gateway.settled();
  await say(create(aPix({ postbackUrl, amount: "19.90" }))); // invalid
  gateway.faults.add({ on: "transactions.create", kind: "drifted_body" });
  await say(create(aCardPayment(await token(aCard({ number: "4000000000003220" })), { postbackUrl })));
  gateway.clock.advance(5_000);
  await gateway.settled();
  gateway.refund(newest(), 990);
  gateway.refund(newest());
  await gateway.settled();
  await say(create(aPix({ postbackUrl })));
  gateway.clock.advance(31 * DAY_MS);
  await gateway.settled();
  for (const path of ["/api/v1/company", "/api/v1/status", "/sellers", "/sellers/revenue"])
    await say(get(path));

  return { answers, transactions: gateway.transactions, deliveries: gateway.deliveries };
}

/** Something that happens to a gateway, or that makes no sense for it. */
type Step = (gateway: Gateway) => unknown;

const FAULTS = FAULT_KINDS.filter((kind) => kind !== "charged_then_stalled"); // that one has no end
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.nat(5_000).map((amount) => (gateway: Gateway) => {
    const { create } = merchantOf(gateway);
    return create(aPix({ amount }));
  }),
  fc.constantFrom(...TEST_CARDS).map(({ number }) => async (gateway: Gateway) => {
    const { create, token } = merchantOf(gateway);
    return create(aCardPayment(await token(aCard({ number }))));
  }),
  fc.constantFrom(...FAULTS).map((kind) => ({ faults }: Gateway) => {
    faults.add({ on: "transactions.create", kind });
  }),
  fc.constantFrom(...MOVES).map((move) => (gateway: Gateway) => {
    gateway[move](gateway.transactions.at(-1)?.id ?? 0);
  }),
  fc.constantFrom(1, 1_000, 5_000, DAY_MS).map(
    (ms) =>
      ({ clock }: Gateway) =>
        clock.advance(ms),
  ),
);

/** Two of three postbacks are taken at once, and each comes after the next. */
async function play(seed: number, steps: readonly Step[]) {
  let posts = 0;
  const receive = async () => new Response("", { status: posts++ % 3 === 0 ? 500 : 200 });
  const gateway = createGateway({ seed, now: NOON, postbacks: { fetch: receive, reorder: true } });
  for (const step of steps) {
    await Promise.resolve(gateway)
      .then(step)
      .catch(() => undefined); // faults and senseless moves
    await gateway.settled();
  }
  return { transactions: gateway.transactions, deliveries: gateway.deliveries };
}

describe("one seed and one course of calls, moves and time", () => {
  test("give the same bodies and the same deliveries, to the same times", async () => {
    const receiver: Receiver = await aReceiver((response, nth) => {
      response.writeHead(receiver.received[nth]?.body.status === "approved" ? 503 : 200).end();
    });

    const first = await courseOf({ seed: 7 }, receiver);
    const posted = receiver.received.map(({ text }) => text);
    const second = await courseOf({ seed: 7 }, receiver);

    expect(first.deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status))).toContain(503);
    expect(second).toEqual(first);
    // Those of different transactions travel side by side.
    const postedAgain = receiver.received.slice(posted.length).map(({ text }) => text);
    expect(postedAgain.sort()).toEqual(posted.sort());
  });

  test("give others with another seed", async () => {
    const receiver = await aReceiver();

    const first = await courseOf({ seed: 7 }, receiver);
    const second = await courseOf({ seed: 8 }, receiver);

    const ids = [first, second].map(({ transactions }) => transactions.map(({ id }) => id));
    const checkouts = [first, second].flatMap(({ transactions }) => transactions.map((one) => one.secureId));
    expect(ids[0]).not.toEqual(ids[1]);
    expect(new Set(checkouts).size).toBe(checkouts.length);
  });

  test("give the same, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(aStep, { maxLength: 12 }), async (seed, steps) => {
        expect(await play(seed, steps)).toEqual(await play(seed, steps));
      }),
      { numRuns: 60 },
    );
  });
});
