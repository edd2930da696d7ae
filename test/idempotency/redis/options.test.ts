import { ConfigurationError, type RedisClient, redisStore } from "payments-sdk/idempotency";
import { expect, test } from "vitest";
import { thrownBy } from "../../support/merchant.ts";
import { POSTBACK } from "./support/orders.ts";

/** A client that gives one answer to every script. */
function answering(reply: unknown): RedisClient {
  return { EVAL: async () => reply, SCAN: async () => ({ cursor: "0", keys: [] }) };
}

test.each<[string, unknown, object, string]>([
  ["no client", undefined, {}, "client must be a client of node-redis or ioredis."],
  ["an address", "redis://localhost", {}, "client must be a client of node-redis or ioredis."],
  ["a client of something else", { get: () => "", set: () => "" }, {}, "client must be a client of"],
  ["an empty namespace", answering([]), { namespace: "" }, "namespace must be a string that is not empty."],
  [
    "half of a character",
    answering([]),
    { namespace: "\ud800" },
    "namespace must be well-formed text of at most 255 characters.",
  ],
  [
    "a retention of nothing",
    answering([]),
    { retentionDays: 0 },
    "retentionDays must be a number above zero.",
  ],
  ["a retention that is none", answering([]), { retentionDays: "9" }, "retentionDays must be a number above"],
  ["an unknown option", answering([]), { retention: 1 }, "retention is not an option"],
])("what cannot work is refused: %s", (_what, client, options, message) => {
  const error = thrownBy(() => redisStore(client as RedisClient, options));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
});

test.each<[unknown, string]>([
  [undefined, "that payments-sdk did not write"],
  ["OK", "that payments-sdk did not write"],
  [[], "that payments-sdk did not write"],
  [["1", "open v1 1 {}", "x"], "that payments-sdk did not write"],
  [["now", "open v1 1 {}"], "that payments-sdk did not write"],
  [[1], "Redis answered with number where a text belongs."],
  [["1", null], "Redis answered with null where a text belongs."],
])("the answer %j is no answer: a claim fails", async (reply, message) => {
  const store = redisStore(answering(reply));

  await expect(store.claimPostback(POSTBACK, "a", 1)).rejects.toThrow(message);
});

test.each<[unknown, string]>([
  ["yes", "that payments-sdk did not write"],
  [1, "Redis answered with number where a text belongs."],
  [null, "Redis answered with null where a text belongs."],
])("the answer %j to a change is no answer: it fails", async (reply, message) => {
  const found = ["1", 'done v1 1 {"handled":[]}'];
  const replies = [found, reply, found];
  const store = redisStore({ EVAL: async () => replies.shift(), SCAN: async () => undefined });

  await expect(store.confirmPostback(POSTBACK, "a")).rejects.toThrow(message);
});

test.each<[unknown]>([[undefined], ["0"], [[]], [["0"]], [{ cursor: "0" }], [{ keys: [] }], [["0", [1]]]])(
  "the answer %j to SCAN is no answer: nothing is listed",
  async (reply) => {
    const store = redisStore({ EVAL: async (_script, { keys }) => keys[0], SCAN: async () => reply });

    await expect(store.unresolved().next()).rejects.toThrow("Redis answered");
  },
);

test("a cluster that shows no master lists nothing, and says so", async () => {
  const store = redisStore({ eval: async (_script, _count, key) => key, nodes: () => [] });

  await expect(store.unresolved().next()).rejects.toThrow("The Redis cluster shows no master.");
});
