import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { aCard, aCardPayment, aPix, merchantOf, NOON } from "./support/wire.ts";

const DAY_MS = 86_400_000;

/** Every response, move and postback of a day with many kinds of calls. */
async function runScenario(options: GatewayOptions) {
  let posts = 0;
  const fetch = async () => new Response("", { status: posts++ % 3 === 0 ? 503 : 200 });
  const gateway = createGateway({ now: NOON, postbacks: { duplicates: 1, fetch }, ...options });
  const { create, get, token } = merchantOf(gateway);
  const newest = () => gateway.transactions.at(-1)?.id ?? 0;
  const responses: string[] = [];
  const keep = async (response: Promise<Response>) => responses.push(await (await response).text());

  await Promise.all([1000, 1001].map((amount) => keep(create(aPix({ amount })))));
  gateway.pay(newest());
  await gateway.settled();
  gateway.clock.advance(1_000); // the failed postback is sent again
  await gateway.settled();
  gateway.faults.add({ on: "transactions.create", kind: "drifted_body" });
  await keep(create(aCardPayment(await token(aCard({ number: "4000000000003220" })))));
  gateway.clock.advance(31 * DAY_MS);
  gateway.refund(newest());
  await gateway.settled();
  await keep(get("/api/v1/status"));
  return { responses, transactions: gateway.transactions, deliveries: gateway.deliveries };
}

test("the same seed, calls, moves and time lead to the same bodies and the same deliveries", async () => {
  const [first, second] = [await runScenario({ seed: 7 }), await runScenario({ seed: 7 })];
  const { transactions: others } = await runScenario({ seed: 8 });

  expect(second).toEqual(first);
  expect(first.transactions.map(({ amount }) => amount)).toEqual([1000, 1001, 1990]);
  expect(first.deliveries.flatMap(({ attempts }) => attempts.map(({ status }) => status))).toContain(503);
  expect(others[0]?.secureId).not.toBe(first.transactions[0]?.secureId);
});
