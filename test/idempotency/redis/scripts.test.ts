import { randomUUID } from "node:crypto";
import { redisStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { collect } from "../../../src/testing/stores/fixtures.ts";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { POSTBACK } from "../support/operations.ts";
import { attempt, by, createdAs, ID, LEASE, listed, ORDER, REF, UNKNOWN } from "../support/orders.ts";
import { aRedis, asShop, nodeRedis, sharedRedis } from "../support/redis.ts";

type Client = Awaited<ReturnType<typeof nodeRedis>>;

/** A client that refuses scripts whose keys are in different slots, as a cluster does. */
function inCluster(client: Client) {
  return {
    async EVAL(script: string, options: { keys: string[]; arguments: string[] }) {
      const slots = new Set(options.keys.map((key) => /\{(.+?)\}/.exec(key)?.[1] ?? key));
      if (slots.size > 1) throw new Error("CROSSSLOT Keys in request don't hash to the same slot");
      return client.EVAL(script, options);
    },
    SCAN: (...page: Parameters<Client["SCAN"]>) => client.SCAN(...page),
  };
}

async function ownNamespace() {
  const client = await nodeRedis(await sharedRedis());
  const namespace = randomUUID();
  return { client, namespace, store: redisStore(inCluster(client), { namespace }) };
}

describe.skipIf(missingRedis !== undefined)("a store in Redis", () => {
  test("uses keys of one slot in each script, and lists open orders without reading all keys", async () => {
    const { client, store } = await ownNamespace();
    const references = Array.from({ length: 40 }, (_, nth) => `order-${nth}`);
    for (const ref of references)
      await attempt(store, ref === "order-7" ? createdAs() : UNKNOWN, by("a", ref));
    await store.claimPostback({ ...POSTBACK, externalRef: "order-8" }, "a", LEASE, {});
    await store.resolve("order-9", { charged: false });
    const scan = vi.spyOn(client, "SCAN");

    const open = references.filter((each) => each !== "order-7" && each !== "order-9");
    expect((await listed(store)).map(({ externalRef }) => externalRef).sort()).toEqual(open.sort());
    expect(await collect(store.openPostbacks())).toHaveLength(1);
    expect(scan).not.toHaveBeenCalled();
    expect(await store.getMany(references)).toHaveLength(40);
    expect(await collect(store.list())).toHaveLength(40);
  });

  test("writes the postbacks and the record of an order in one script", async () => {
    const { client, store } = await ownNamespace();
    const externalRef = "pedido nº 7";
    await attempt(store, createdAs(), by("a", externalRef));
    const record = await store.get(externalRef);
    const key = { ...POSTBACK, externalRef, id: ID };
    const sent = vi.spyOn(client, "EVAL");

    const claim = await store.claimPostback(key, "a", LEASE, { record });

    expect(claim).toMatchObject({ state: "yours", possibleDuplicates: [] });
    expect(sent).toHaveBeenCalledOnce();
    expect((await store.get(externalRef))?.transaction?.status).toBe("approved");
  });

  test("lists its namespace again an hour later, if Redis has lost it", async () => {
    const { client, namespace, store } = await ownNamespace();
    await attempt(store, UNKNOWN);
    await client.sRem("payments::namespaces", namespace);
    await store.claim(by("a", "order-2"), LEASE);
    expect(await store.namespaces()).not.toContain(namespace);

    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 3_600_001);
    await store.claim(by("a", "order-3"), LEASE);

    expect(await store.namespaces()).toContain(namespace);
  });

  test("refuses a claim if its namespace cannot be listed", async () => {
    const { client, namespace } = await ownNamespace();
    const failing = {
      ...inCluster(client),
      EVAL: async (script: string, options: { keys: string[]; arguments: string[] }) => {
        if (options.keys[0] === "payments::namespaces") throw new Error("The connection was lost.");
        return client.EVAL(script, options);
      },
    };
    const store = redisStore(failing, { namespace });

    await expect(store.claim(ORDER, LEASE)).rejects.toThrow("The connection was lost.");
    expect(await store.get(REF)).toBeUndefined();
  });
});

describe.skipIf(missingRedis !== undefined)("scripts", () => {
  test("are sent once, and then by their hash", async () => {
    const { client, namespace } = await ownNamespace();
    await client.scriptFlush();
    const sent = vi.spyOn(client, "EVAL");
    const store = redisStore(client, { namespace });
    await attempt(store, UNKNOWN);
    await vi.waitFor(() => expect(store.warning).toBeDefined()); // reads the settings in the background
    sent.mockClear();

    await attempt(store, UNKNOWN, by("a", "order-2"));

    expect(sent).not.toHaveBeenCalled();
  });

  test.each([
    ["NOSCRIPT No matching script. Please use EVAL.", true],
    ["NOPERM User shop has no permissions to run the 'evalsha' command", true],
    ["The connection was lost.", false],
    ["ERR Error running script: NOSCRIPT", false],
  ])("are sent as they are only if Redis has certainly not run them: %s", async (message, isSent) => {
    const client = await nodeRedis(await sharedRedis());
    const EVAL = vi.fn(client.EVAL.bind(client));
    const EVALSHA = () => Promise.reject(new Error(message));
    const store = redisStore({ EVAL, EVALSHA, SCAN: client.SCAN.bind(client) }, { namespace: randomUUID() });

    const state = await store.claim(ORDER, LEASE).then((claim) => claim.state, String);

    expect(state).toBe(isSent ? "yours" : `Error: ${message}`);
    expect(EVAL.mock.calls.length > 0).toBe(isSent);
  });
});

describe.skipIf(missingRedis !== undefined)("check()", () => {
  const NEEDED = "evalsha eval scan set get time sadd srem smembers persist".split(" ");

  test.each(["nothing", "get", "time", "set", "srem", "smembers", "persist"])(
    "reports that a user lacks %s, and changes nothing",
    async (missing) => {
      const server = await aRedis(...DURABLE);
      const admin = await nodeRedis(server);
      const rights = NEEDED.map((command) => `${command === missing ? "-" : "+"}${command}`);
      const store = redisStore(await asShop(server, ...rights));

      const problems = await store.check();

      const message = expect.stringMatching(/NOPERM|can.t run this command/);
      const level = missing === "persist" ? "warning" : "error"; // it is needed at the memory limit only
      expect(problems).toEqual(missing === "nothing" ? [] : [{ level, message }]);
      expect(await admin.info("persistence")).toContain("rdb_changes_since_last_save:0\r");
    },
  );

  test("reports a server that accepts no writes: it is at its memory limit, or is a replica", async () => {
    const client = await nodeRedis(await aRedis(...DURABLE));
    const store = redisStore(client);
    const problem = (message: RegExp) => [{ level: "error", message: expect.stringMatching(message) }];

    await client.configSet("maxmemory", "1");
    expect(await store.check()).toEqual(problem(/memory/));
    await client.configSet("maxmemory", "0");
    await client.replicaOf("127.0.0.1", 1);
    expect(await store.check()).toEqual(problem(/read only replica/));
  });

  test("reports settings with which records can be lost", async () => {
    const store = redisStore(await nodeRedis(await aRedis()));

    expect(await store.check()).toMatchObject([
      { level: "warning", message: expect.stringContaining("appendonly no") },
    ]);
  });
});
