import { randomUUID } from "node:crypto";
import { type PaymentsStore, redisStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aPix, eventsOf, merchantAt } from "../../support/merchant.ts";
import { DURABLE, missingRedis } from "../../support/redis-server.ts";
import { nodeRedis } from "./support/clients.ts";
import { keysIn } from "./support/look-inside.ts";
import { OPERATIONS } from "./support/operations.ts";
import { anOrder } from "./support/orders.ts";
import { aRedis } from "./support/servers.ts";

/** Room for about 100 pix payments. */
const ROOM_BYTES = 400_000;

const RETENTION_MS = 400 * 86_400_000;

type Client = Awaited<ReturnType<typeof nodeRedis>>;

/** From now on every write is one too many. */
const fill = (client: Client) => client.configSet("maxmemory", "1");
const empty = (client: Client) => client.configSet("maxmemory", "0");

function shop(store: PaymentsStore) {
  const gateway = createGateway();
  const send = (url: string, init: RequestInit) => gateway.fetch(new Request(url, init));
  const { baseUrl, secretKey, publicKey } = gateway;
  const merchant = merchantAt(baseUrl, { secretKey, publicKey, fetch: send, idempotency: store });
  return { ...merchant, gateway };
}

describe.skipIf(missingRedis !== undefined)("Redis at its memory limit", () => {
  test("has recorded each create that was charged, and refuses the next ones before they are sent", async () => {
    const client = await nodeRedis(await aRedis("--maxmemory-policy", "noeviction"));
    const [, used] = /used_memory:(\d+)/.exec(await client.info("memory")) ?? [];
    await client.configSet("maxmemory", String(Number(used) + ROOM_BYTES));
    const { payments, events, gateway } = shop(redisStore(client));
    const charged = new Map<string, unknown>();
    const refused: string[] = [];
    const buy = async () => {
      while (refused.length === 0) {
        const externalRef = randomUUID();
        try {
          charged.set(externalRef, (await payments.transactions.createPix(aPix({ externalRef }))).pix);
        } catch (error) {
          expect(error).toMatchObject({ code: "idempotency_store_failed", outcome: "not_sent" });
          refused.push(externalRef);
        }
      }
    };

    await Promise.all(Array.from({ length: 20 }, buy));

    expect(charged.size).toBeGreaterThan(20);
    expect(eventsOf(events, "error").filter(({ error }) => error.outcome !== "not_sent")).toEqual([]);
    expect(refused.flatMap((externalRef) => gateway.chargesFor(externalRef))).toEqual([]);
    for (const [externalRef, pix] of charged) {
      const again = await payments.transactions.createPix(aPix({ externalRef }));
      expect(again.pix).toEqual(pix);
      expect(gateway.chargesFor(externalRef)).toHaveLength(1);
    }
  });

  const newRecords = ["claim", "claimPostback"];

  test("refuses new claims, and nothing else", async () => {
    const client = await nodeRedis(await aRedis());
    const on = (name: string) => redisStore(client, { namespace: name });
    for (const { name, arrange } of OPERATIONS) await arrange(on(name));
    await fill(client);

    const results: unknown[] = [];
    for (const { name, act } of OPERATIONS) results.push(await act(on(name)).catch(String));
    await empty(client);

    expect(results).toEqual(
      OPERATIONS.map(({ name, result }) =>
        newRecords.includes(name) ? expect.stringMatching(/^Error: OOM/) : result,
      ),
    );
    for (const { name, look, seen } of OPERATIONS) {
      expect([name, await look(on(name))]).toEqual([name, seen[newRecords.includes(name) ? 0 : 1]]);
    }
  });

  test("keeps what has ended as long as ever, and what has not for ever", async () => {
    const client = await nodeRedis(await aRedis());
    const store = redisStore(client);
    for (const ref of ["created", "unknown", "paid late"]) await store.claim(anOrder("a", ref), 60_000);
    await store.end(anOrder("a", "paid late"), { outcome: "not_created" });
    await fill(client);

    await store.end(anOrder("a", "created"), { outcome: "created", transactionId: 7 });
    await store.end(anOrder("a", "unknown"), { outcome: "unknown" });
    await store.claim(anOrder("b", "paid late"), 60_000);

    const left = (ref: string) => client.pTTL(`payments:default:order:${ref}`);
    expect(await left("created")).toBeGreaterThan(RETENTION_MS - 60_000);
    expect(await left("unknown")).toBe(-1);
    expect(await left("paid late")).toBe(-1); // it had an expiry while it was free
  });

  test.each(["created", "unknown"] as const)(
    "takes an end, %s, whose claim it has lost, and the next claim finds it",
    async (outcome) => {
      const client = await nodeRedis(await aRedis());
      const store = redisStore(client);
      await store.claim(anOrder("a"), 60_000);
      await client.flushAll();
      await fill(client);

      const end = outcome === "created" ? { outcome, transactionId: 7 } : { outcome };
      expect(await store.end(anOrder("a"), end)).toEqual([]);

      expect(await store.claim(anOrder("b"), 60_000)).toMatchObject({
        state: outcome === "created" ? "created" : "unresolved",
      });
    },
  );

  test("has what it then confirmed after it was killed, too", async () => {
    const server = await aRedis(...DURABLE);
    const client = await nodeRedis(server);
    const store = redisStore(client);
    const refs = Array.from({ length: 20 }, (_, at) => `order-${at}`);
    await Promise.all(refs.map((ref) => store.claim(anOrder("a", ref), 60_000)));
    await fill(client);
    await Promise.all(
      refs.map((ref) => store.end(anOrder("a", ref), { outcome: "created", transactionId: 7 })),
    );

    await server.kill();
    await server.start();

    const after = await nodeRedis(server);
    expect(await keysIn(after)).toHaveLength(refs.length);
    for (const ref of refs) {
      expect(await redisStore(after).claim(anOrder("b", ref), 1)).toMatchObject({ state: "created" });
      expect(await after.pTTL(`payments:default:order:${ref}`)).toBeGreaterThan(RETENTION_MS - 60_000);
    }
  });

  test.each([
    [[], /^Error: OOM/],
    [["+persist"], /^$/],
  ])("takes the end from a user of Redis who may run PERSIST: %j", async (more, result) => {
    const server = await aRedis();
    const admin = await nodeRedis(server);
    const commands = ["eval", "scan", "set", "get", "time"].map((command) => `+${command}`);
    await admin.aclSetUser("shop", ["on", ">secret", "~payments:*", ...commands, ...more]);
    const user = { username: "shop", password: "secret", disableClientInfo: true };
    const store = redisStore(await nodeRedis(server, user));
    await store.claim(anOrder("a"), 60_000);
    await fill(admin);

    const ended = await store.end(anOrder("a"), { outcome: "created", transactionId: 7 }).catch(String);

    expect(String(ended)).toMatch(result);
    await empty(admin);
    expect(await store.renew(anOrder("a"), 60_000)).toBe(more.length === 0); // still claimed
  });
});
