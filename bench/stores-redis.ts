// The benchmark of the stores on Redis: what is sent, and lists.
import { type ChainableCommander, Redis } from "ioredis";
import { redisStore } from "payments-sdk/idempotency";
import { missingRedis, startRedis } from "../test/support/redis-server.ts";
import {
  type BenchOptions,
  countOf,
  createTemplates,
  forEachOrder,
  openShop,
  type Row,
  referenceOf,
  showMs,
  TEMPLATES,
  timed,
  transactionIdOf,
  UNRESOLVED,
} from "./stores-shop.ts";

const COUNTED = 100;

export async function measureRedis({ log }: BenchOptions, size: number): Promise<Row[]> {
  if (missingRedis !== undefined) return [];
  const server = await startRedis();
  const [client, admin] = [new Redis(server.path), new Redis(server.path)];
  const store = redisStore(client);
  const shop = openShop(store);
  try {
    await createTemplates(shop);
    log(`Redis: filling ${size} orders`);
    await fill(admin, size);
    log("Redis: create calls and postbacks");
    await forEachOrder({ first: size + 1, count: 5, inFlight: 1 }, shop.create); // to warm up
    const commands = new Map<string, number>();
    const monitor = await admin.monitor();
    monitor.on("monitor", (_time: string, [name = ""]: string[], source: string) => {
      const command = name.toUpperCase();
      if (source !== "lua" && command !== "INFO") commands.set(command, (commands.get(command) ?? 0) + 1);
    });
    const first = size + 10;
    const createAll = (from: number, hasPicture: boolean) => {
      const orders = { first: from, count: COUNTED, inFlight: 1 };
      return forEachOrder(orders, (order) => shop.create(order, { hasPicture }));
    };
    const bytes = await bytesOf(admin, () => createAll(first, false));
    await forEachOrder({ first, count: COUNTED, inFlight: 1 }, shop.receive);
    monitor.disconnect();
    const bytesWithPicture = await bytesOf(admin, () => createAll(first + COUNTED, true));
    const shown = [...commands].map(([name, count]) => `${(count / COUNTED).toFixed(1)} ${name}`);
    log("Redis: unresolved orders");
    let found = 0;
    const ms = await timed(5, async () => {
      found = await countOf(store.unresolved());
    });
    return [
      {
        label: "Redis: commands for a create call and its postback",
        goal: "5 EVALSHA",
        store: shown.join(", "),
      },
      {
        label: "Redis: bytes sent for a create call, and with a picture of 8 kB",
        goal: "",
        store: [bytes, bytesWithPicture].map((all) => `${(all / COUNTED / 1000).toFixed(1)} kB`).join(", "),
      },
      { label: `Redis: ${found} unresolved of ${size}`, goal: "10 ms", store: showMs(ms) },
    ];
  } finally {
    await shop.close();
    for (const each of [client, admin]) each.disconnect();
    await server.stop();
  }
}

/** Bytes that the server received meanwhile. */
async function bytesOf(admin: Redis, run: () => Promise<void>): Promise<number> {
  const read = async () => Number(/total_net_input_bytes:(\d+)/.exec(await admin.info("stats"))?.[1]);
  const before = await read();
  await run();
  return (await read()) - before;
}

/** A value of an order, and the sets that its key is in. */
interface Template {
  readonly key: string;
  readonly value: string;
  readonly ttl: number;
  readonly sets: readonly string[];
}

async function readTemplates(admin: Redis): Promise<Map<number, Template[]>> {
  const keys = await admin.keys("*");
  const members = new Map<string, readonly string[]>();
  for (const key of keys) if ((await admin.type(key)) === "set") members.set(key, await admin.smembers(key));
  const templates = new Map<number, Template[]>();
  for (const order of Object.values(TEMPLATES)) {
    const own = keys.filter((key) => key.includes(referenceOf(order)));
    const read = own.map(async (key): Promise<Template> => {
      const sets = [...members].filter(([, names]) => names.includes(key)).map(([name]) => name);
      return { key, value: (await admin.get(key)) ?? "", ttl: await admin.pttl(key), sets };
    });
    templates.set(order, await Promise.all(read));
  }
  return templates;
}

/** Copies values that the store wrote itself, with other keys and ids. */
async function fill(admin: Redis, size: number): Promise<void> {
  const templates = await readTemplates(admin);
  const step = Math.floor(size / UNRESOLVED);
  for (let first = 1; first <= size; first += 1_000) {
    const pipeline = admin.pipeline();
    for (let order = first; order < first + 1_000 && order <= size; order += 1) {
      const isUnresolved = order % step === 1 && order <= step * UNRESOLVED;
      const usual = order % 10 === 0 ? TEMPLATES.free : TEMPLATES.paid;
      copy(pipeline, templates, isUnresolved ? TEMPLATES.unresolved : usual, order);
    }
    await pipeline.exec();
  }
}

function copy(
  pipeline: ChainableCommander,
  templates: ReadonlyMap<number, readonly Template[]>,
  template: number,
  order: number,
): void {
  const rename = (text: string) =>
    text
      .replaceAll(referenceOf(template), referenceOf(order))
      .replaceAll(String(transactionIdOf(template)), String(transactionIdOf(order)));
  for (const { key, value, ttl, sets } of templates.get(template) ?? []) {
    const name = rename(key);
    if (ttl > 0) pipeline.set(name, rename(value), "PX", ttl);
    else pipeline.set(name, rename(value));
    for (const set of sets) pipeline.sadd(set, name);
  }
}
