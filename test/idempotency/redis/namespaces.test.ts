import { randomUUID } from "node:crypto";
import { type PaymentsStore, redisStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { missingRedis } from "../../support/redis-server.ts";
import { sharedRedis } from "./open.ts";
import { nodeRedis } from "./support/clients.ts";
import { keysIn } from "./support/look-inside.ts";
import { anOrder, POSTBACK, unresolvedIn } from "./support/orders.ts";

async function leaveUnresolved(store: PaymentsStore, ref: string) {
  await store.claim(anOrder("a", ref), 60_000);
  await store.end(anOrder("a", ref), { outcome: "unknown" });
}

describe.skipIf(missingRedis !== undefined)("namespaces in Redis", () => {
  test.each([
    // The names of the keys would be the same, or begin with one another, if they were put together as they are.
    ["a", "b:order:c", "a:order:b", "c"],
    ["a", "c", "a:order:c", "c"],
    ["a", "c", "a:postbacks", "c"],
    ["*", "c", "a", "c"],
    ["a?", "c", "ab", "c"],
    ["[ab]", "c", "a", "c"],
    ["a", "c", "A", "c"],
    ["a", "c", "%61", "c"],
    ["\u00e9", "c", "e\u0301", "c"],
    ["a/b", "c", "a%2Fb", "c"],
  ])("%j with order %j knows nothing of %j with order %j", async (one, itsRef, other, otherRef) => {
    const client = await nodeRedis(await sharedRedis(), { keyPrefix: `${randomUUID()}:` });
    const [mine, theirs] = [redisStore(client, { namespace: one }), redisStore(client, { namespace: other })];
    await leaveUnresolved(mine, itsRef);

    expect(await unresolvedIn(theirs)).toEqual([]);
    expect(await theirs.claim(anOrder("b", otherRef), 60_000)).toEqual({ state: "yours" });
    await theirs.end(anOrder("b", otherRef), { outcome: "unknown" });
    expect(await unresolvedIn(mine)).toEqual([itsRef]);
    expect(await unresolvedIn(theirs)).toEqual([otherRef]);
  });

  test("have one key for each order and one for the postbacks of each transaction", async () => {
    const client = await nodeRedis(await sharedRedis(), { keyPrefix: `${randomUUID()}:` });
    const prefix = client.options.keyPrefix;
    const [stored, inDefault] = [redisStore(client, { namespace: "loja/são" }), redisStore(client)];
    for (const state of ["unknown", "not_created"] as const) {
      await stored.claim(anOrder("a", state), 60_000);
      await stored.end(anOrder("a", state), { outcome: state });
    }
    for (const rawStatus of ["pending", "approved"]) {
      await stored.claimPostback({ ...POSTBACK, rawStatus }, "a", 60_000);
      await stored.confirmPostback({ ...POSTBACK, rawStatus }, "a");
    }
    await inDefault.claim(anOrder("a"), 60_000);

    expect(await keysIn(client, `${prefix}*`)).toEqual(
      [
        "payments:default:order:order-1",
        "payments:loja%2Fs%C3%A3o:order:not_created",
        "payments:loja%2Fs%C3%A3o:order:unknown",
        'payments:loja%2Fs%C3%A3o:postbacks:[\\"signed\\",81001,\\"order-1\\"]',
      ].map((key) => `${prefix}${key}`),
    );
  });
});

test.skipIf(missingRedis !== undefined)(
  "a user of Redis needs no more than five commands and its own keys",
  async () => {
    const admin = await nodeRedis(await sharedRedis());
    const username = `shop-${randomUUID()}`;
    const commands = ["eval", "scan", "set", "get", "time"].map((command) => `+${command}`);
    await admin.aclSetUser(username, ["on", ">secret", "~payments:*", ...commands]);
    const client = await nodeRedis(await sharedRedis(), {
      username,
      password: "secret",
      disableClientInfo: true,
    });
    const store = redisStore(client, { namespace: username });

    await leaveUnresolved(store, "order-1");

    expect(await unresolvedIn(store)).toEqual(["order-1"]);
    await expect(client.del("payments:x")).rejects.toThrow("NOPERM");
  },
);
