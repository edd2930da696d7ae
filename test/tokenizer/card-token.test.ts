import { inspect } from "node:util";
import { CardToken } from "payments-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { aJwt, inSeconds } from "../support/merchant.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

describe("the lifetime of a token starts when it is received", () => {
  test.each<[string, string, number]>([
    ["opaque: five minutes", "tok_1", 5 * MINUTE],
    ["a JWT without times: five minutes", aJwt({ sub: "card" }), 5 * MINUTE],
    ["a JWT with a shorter lifetime", aJwt({ iat: inSeconds(NOW), exp: inSeconds(NOW) + 120 }), 2 * MINUTE],
    [
      "a JWT from a clock an hour ahead",
      aJwt({ iat: inSeconds(NOW) + 3600, exp: inSeconds(NOW) + 3900 }),
      5 * MINUTE,
    ],
    ["a JWT with other texts", aJwt({ sub: ">João?", iat: 0, exp: 60 }), MINUTE], // with - and _
    ["a JWT with only an expiry", aJwt({ exp: inSeconds(NOW) + 30 }), 5 * MINUTE],
    ["a JWT with a lifetime of a day: five minutes", aJwt({ iat: 0, exp: 86_400 }), 5 * MINUTE],
    ["a JWT whose times no date has", aJwt({ iat: -1e300, exp: 1e300 }), 5 * MINUTE],
    ["a string that only looks like a JWT", "eyJ.eyJ.x", 5 * MINUTE],
  ])("%s", (_what, value, lifetimeMs) => {
    const token = new CardToken(value);

    expect(token.expiresAt.getTime() - NOW.getTime()).toBe(lifetimeMs);
  });

  test("or at a given time in the past", () => {
    const token = new CardToken("tok_1", new Date("2026-11-20T11:58:00Z"));

    expect(token.expiresAt).toEqual(new Date("2026-11-20T12:03:00Z"));
  });
});

test("isExpired accepts another time", () => {
  const token = new CardToken("tok_1");

  expect([token.isExpired(), token.isExpired(NOW.getTime() + 10 * MINUTE)]).toEqual([false, true]);
});

describe("a token shows", () => {
  test("its value only in `value` and in JSON", () => {
    const token = new CardToken("tok_1");

    expect(token.value).toBe("tok_1");
    expect(JSON.stringify({ card: { hash: token } })).toBe('{"card":{"hash":"tok_1"}}');
  });

  test.each<[string, (token: CardToken) => string]>([
    ["String", String],
    ["a template", (token) => `${token}`],
    ["inspect", (token) => inspect(token, { showHidden: true, getters: true })],
    ["inspect of an object that contains it", (token) => inspect({ token }).slice(9, -2)],
  ])("a short form in %s", (_where, show) => {
    const token = new CardToken("tok_1");

    expect(show(token)).toBe("CardToken { expires 2026-11-20T12:05:00.000Z }");
  });
});
