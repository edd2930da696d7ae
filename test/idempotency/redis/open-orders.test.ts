import { randomUUID } from "node:crypto";
import { redisStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { attempt, by, createdAs, LEASE, listed, NOT_CREATED, ORDER, UNKNOWN } from "../support/orders.ts";
import { aRedis, asShop, nodeRedis, sharedRedis } from "../support/redis.ts";

type Client = Awaited<ReturnType<typeof nodeRedis>>;

/** A client of one node of a cluster: it refuses scripts whose keys are in different slots. */
function inCluster(client: Client, fails: (script: string) => boolean = () => false) {
  return {
    async EVAL(script: string, options: { keys: string[]; arguments: string[] }) {
      const isApart = options.keys.length > 1 && !options.keys.every((key) => key.includes("{"));
      if (isApart) throw new Error("CROSSSLOT Keys in request don't hash to the same slot");
      if (fails(script)) throw new Error("The connection was lost.");
      return client.EVAL(script, options);
    },
    SCAN: (...page: Parameters<Client["SCAN"]>) => client.SCAN(...page),
  };
}

async function ownNamespace() {
  const client = await nodeRedis(await sharedRedis());
  const namespace = randomUUID();
  const index = `payments:${namespace}:open`;
  const members = async () => (await client.sMembers(index)).filter((member) => !member.startsWith("\n"));
  /** What an older version of the package writes. */
  const addAsBefore = async (externalRef: string) => {
    const source = await client.get(`payments:${namespace}:order:${ORDER.externalRef}`);
    await client.set(`payments:${namespace}:order:${externalRef}`, source ?? "");
  };
  return { client, namespace, index, members, addAsBefore };
}

const references = async (store: ReturnType<typeof redisStore>) =>
  (await listed(store)).map(({ externalRef }) => externalRef).sort();

describe.skipIf(missingRedis !== undefined)("open orders in Redis", () => {
  test.each(["", " in a cluster"])("are listed without reading all keys%s", async (where) => {
    const { client, namespace } = await ownNamespace();
    const store = redisStore(where === "" ? client : inCluster(client), { namespace });
    await attempt(store, UNKNOWN);
    await attempt(store, createdAs(), by("a", "order-2"));
    await listed(store);
    await attempt(store, UNKNOWN, by("a", "order-3"));
    const scan = vi.spyOn(client, "SCAN");

    expect(await references(store)).toEqual(["order-1", "order-3"]);
    expect(scan).not.toHaveBeenCalled();
  });

  test.each(["", " in a cluster"])(
    "of an older version are listed once all keys were read again%s",
    async (where) => {
      const { client, namespace, index, addAsBefore } = await ownNamespace();
      const store = redisStore(where === "" ? client : inCluster(client), { namespace });
      await attempt(store, UNKNOWN);
      await addAsBefore("order-2");

      expect(await references(store)).toEqual(["order-1", "order-2"]);
      await addAsBefore("order-3");
      expect(await references(store)).toEqual(["order-1", "order-2"]);
      const marks = (await client.sMembers(index)).filter((member) => member.startsWith("\n"));
      expect(marks).toHaveLength(1);
      await client.sRem(index, marks);
      await client.sAdd(index, `\n${Date.now() - 61 * 60_000}`);
      expect(await references(store)).toEqual(["order-1", "order-2", "order-3"]);
      expect((await client.sMembers(index)).filter((member) => member.startsWith("\n"))).toHaveLength(1);
    },
  );

  test("that an older version has ended leave the index with the next list", async () => {
    const { client, namespace, members } = await ownNamespace();
    const store = redisStore(client, { namespace });
    await attempt(store, UNKNOWN);
    await listed(store);
    const key = `payments:${namespace}:order:${ORDER.externalRef}`;
    await client.set(key, `done ${(await client.get(key))?.slice(5)}`);

    expect(await references(store)).toEqual([]);
    expect(await members()).toEqual([]);
  });

  test("are in the index of a cluster before they are written, and until they have ended", async () => {
    const { client, namespace, members } = await ownNamespace();
    const failing = redisStore(
      inCluster(client, (script) => script.includes("'added'")),
      { namespace },
    );
    const store = redisStore(inCluster(client), { namespace });

    await expect(failing.claim(ORDER, LEASE)).rejects.toThrow("The connection was lost.");
    expect(await members()).toHaveLength(1);
    expect(await references(store)).toEqual([]);

    await store.claim(by("a", "order-2"), LEASE);
    expect(await members()).toHaveLength(2);
    await store.claim(by("b", "order-2"), LEASE); // finds the other claim
    await store.recordOutcome(by("a", "order-2"), NOT_CREATED);
    await store.claim(by("c", "order-2"), LEASE);
    await store.recordOutcome(by("c", "order-2"), UNKNOWN);
    await vi.waitFor(async () => expect(await members()).toHaveLength(2));
    expect(await references(store)).toEqual(["order-2"]);
    await store.resolve("order-2", { charged: false });
    await vi.waitFor(async () => expect(await members()).toHaveLength(1));
  });
});

describe.skipIf(missingRedis !== undefined)("scripts", () => {
  test("are sent once, and then by their hash", async () => {
    const { client, namespace } = await ownNamespace();
    await client.scriptFlush();
    const sent = vi.spyOn(client, "EVAL");
    const store = redisStore(client, { namespace });
    await attempt(store, UNKNOWN);
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
  const NEEDED = "evalsha eval scan set get time sadd srem smembers persist info".split(" ");

  test.each(["nothing", ...NEEDED])("reports that a user lacks %s, and changes nothing", async (missing) => {
    const server = await aRedis(...DURABLE);
    const admin = await nodeRedis(server);
    const rights = NEEDED.map((command) => `${command === missing ? "-" : "+"}${command}`);
    const store = redisStore(await asShop(server, ...rights));

    const problems = await store.check();

    const level = ["evalsha", "scan", "persist", "info"].includes(missing) ? "warning" : "error";
    const message = expect.stringMatching(new RegExp(`refuses .*\\b${missing}\\b`, "i"));
    expect(problems).toEqual(missing === "nothing" ? [] : [{ level, message }]);
    expect(await admin.info("persistence")).toContain("rdb_changes_since_last_save:0\r");
  });

  test("reports settings with which records can be lost", async () => {
    const store = redisStore(await nodeRedis(await aRedis()));

    expect(await store.check()).toMatchObject([
      { level: "warning", message: expect.stringContaining("appendonly no") },
    ]);
  });
});
