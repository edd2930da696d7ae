import { CardToken, CardTokenExpiredError } from "payments-sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aCardPayment, aJwt, failureOf, inSeconds } from "../support/merchant.ts";
import { aCardData, created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const SECOND = 1_000;

// Only the clock is fake: the server needs its timers.
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const at = (seconds: number) => inSeconds(NOW) + seconds;

/** A JWT with a lifetime of five minutes that expired this many seconds ago, by the service's clock. */
const expiredAgo = (seconds: number) =>
  aJwt({ iat: inSeconds(NOW) - seconds - 300, exp: inSeconds(NOW) - seconds });

const createdAgo = (value: string, seconds: number) =>
  new CardToken(value, new Date(NOW.getTime() - seconds * SECOND));

async function pay(hash: string | CardToken) {
  const { payments, arrivals } = await startMerchant(created(aCardData()));
  return { arrivals, call: payments.transactions.createCard(aCardPayment({ card: { hash } })) };
}

const THIS_CLOCK = /It expired at 2026-11-20T12:00:00\S* by this machine's clock/;
const OTHER_CLOCK =
  /It expired at 2026-11-20T11:58:59\S* by the service's clock; this machine's clock shows 2026-11-20T12:00:00/;
const BOTH_TIMES =
  /issued at 2026-11-20T11:53:59\S* and expired at 2026-11-20T11:58:59\S* by the service's clock; this machine's clock shows 2026-11-20T12:00:00/;

test.each<[string, () => string | CardToken, string, RegExp?]>([
  ["a CardToken created five minutes ago", () => createdAgo("tok_1", 300), "12:00:00", THIS_CLOCK],
  ["a CardToken whose JWT has another lifetime", () => createdAgo(aJwt({ iat: 0, exp: 60 }), 90), "11:59:30"],
  ["a CardToken of another copy", () => ({ value: "t", expiresAt: NOW }) as CardToken, "12:00:00"],
  ["a JWT that expired 61 s ago", () => expiredAgo(61), "11:58:59", BOTH_TIMES],
  ["a JWT issued 361 s ago that claims a day", () => aJwt({ iat: at(-361), exp: at(86_400) }), "11:58:59"],
  ["a JWT issued 361 s ago without an expiry", () => aJwt({ iat: at(-361) }), "11:58:59"],
  ["a JWT with an expiry before its five minutes", () => aJwt({ iat: at(-90), exp: at(-61) }), "11:58:59"],
  ["a JWT with only an expiry", () => aJwt({ exp: at(-61) }), "11:58:59", OTHER_CLOCK],
])("an expired token is not sent: %s", async (_what, token, expiredAt, clocks = /expired/) => {
  const { arrivals, call } = await pay(token());

  const error = await failureOf(call);

  expect(error).toBeInstanceOf(CardTokenExpiredError);
  expect(error).toMatchObject({
    ...{ code: "card_token_expired", outcome: "not_sent", actor: "customer" },
    ...{ endpoint: "transactions.create", externalRef: "order-1" },
    expiredAt: new Date(`2026-11-20T${expiredAt}Z`),
  });
  expect(error.message).toContain("Create a new one");
  expect(error.message).toMatch(clocks);
  expect(arrivals).toHaveLength(0);
});

test.each<[string, () => string | CardToken]>([
  ["a CardToken that expires in a second", () => createdAgo("tok_1", 299)],
  ["a CardToken whose JWT comes from another clock", () => new CardToken(expiredAgo(86_400))],
  ["a JWT that expired 60 s ago: clocks differ", () => expiredAgo(60)],
  ["a JWT issued 360 s ago: clocks differ", () => aJwt({ iat: at(-360), exp: at(86_400) })],
  ["a JWT from a clock an hour ahead", () => aJwt({ iat: at(3_600), exp: at(3_900) })],
  ["an opaque token with dots", () => "a.b.c"],
])("a token that may be valid is sent: %s", async (_what, token) => {
  const hash = token();
  const { arrivals, call } = await pay(hash);

  await call;

  const sent = JSON.parse(arrivals[0]?.body ?? "").card;
  expect(sent).toEqual({ hash: String(hash instanceof CardToken ? hash.value : hash) });
});
