// What it costs to verify and handle a postback, beside the verification of webhooks in other SDKs.
// node bench/postbacks.ts [--rounds 7] [--calls 3000]
import { createHmac } from "node:crypto";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import {
  arePeersInstalled,
  inRounds,
  medianOf,
  numberOption,
  onTask,
  PEERS,
  printTable,
  printTitle,
  ratioCell,
  startWorkers,
} from "./helpers.ts";

const SECRET = "a secret of the benchmark, 32 bytes";
const ORDER = { externalRef: "order-77", amount: 10_000 };
const SHOP_URL = "https://shop.example.com/postbacks";
const ID = 81_001;

/** Prepares so many calls, and returns a function that makes the next one. */
type Prepare = (calls: number) => Promise<() => unknown>;

const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: SECRET }] });
const body = bodyOf(ID, ORDER);

const contenders: Record<string, Prepare> = {
  "JSON.parse": async () => () => JSON.parse(body),
  "node:crypto, HMAC of the body": async () => () => createHmac("sha256", SECRET).update(body).digest("hex"),
  parsePostback: async () => () => parsePostback(body),
  "signer.verify": async () => {
    const url = await signer.sign(SHOP_URL, ORDER);
    const postback = parsePostback(body);
    return () => signer.verify(url, postback);
  },
  "new Request, text, new Response": async () => async () => {
    const text = await new Request(SHOP_URL, { method: "POST", body }).text();
    return new Response(text, { status: 200, headers: { "content-type": "application/json" } });
  },
  "handler.fetch, a new postback": async (calls) => {
    const postbacks = await Promise.all(
      Array.from({ length: calls }, async (_, call) => {
        const order = { ...ORDER, externalRef: `order-${call}` };
        return { url: await signer.sign(SHOP_URL, order), body: bodyOf(ID + call, order) };
      }),
    );
    return handling(() => postbacks.pop() ?? { url: "", body: "" });
  },
  "handler.fetch, a repeated postback": async () => {
    const postback = { url: await signer.sign(SHOP_URL, ORDER), body };
    return handling(() => postback);
  },
};

if (process.argv[2] === "contender") await runContender(process.argv[3] ?? "");
else await main();

async function main(): Promise<void> {
  const rounds = numberOption("rounds", 7);
  const calls = numberOption("calls", 3_000);
  const names = [...Object.keys(contenders), ...(arePeersInstalled() ? Object.keys(await peers()) : [])];
  await using processes = new AsyncDisposableStack();
  const measure = startWorkers(processes, import.meta.filename, names)({ calls });
  await inRounds(names, 2, measure); // to warm up
  const results = await inRounds(names, rounds, measure);

  printTitle("Taking a postback");
  console.log(
    `${rounds} rounds of ${calls} calls, one after the other; each contender in a process of its own.\n`,
  );
  printTable(
    ["contender", "µs a call", "µs of CPU a call", "CPU, ratio to JSON.parse"],
    names.map((name) => [
      name,
      medianOf(results, name, "time").toFixed(1),
      medianOf(results, name, "cpu").toFixed(1),
      ratioCell(results, name, "cpu"),
    ]),
  );
}

async function runContender(name: string): Promise<void> {
  const verify = contenders[name] ? undefined : (await peers())[name];
  const prepare = contenders[name] ?? (() => verify?.(body, SECRET));
  onTask(async ({ calls }: { readonly calls: number }) => {
    const take = await prepare(calls);
    if (!take) throw new TypeError(`No contender is called ${name}.`);
    const before = process.cpuUsage();
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) {
      const taken = take();
      if (taken instanceof Promise) await taken;
    }
    const time = 1000 * (performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    return { time: time / calls, cpu: (user + system) / calls };
  });
}

/** All that a receiver does, from a `Request` to a `Response`, with a memory store and an empty `onPostback`. */
function handling(next: () => { url: string; body: string }): () => Promise<void> {
  const handler = createPostbackHandler({ signer, store: memoryStore(), onPostback: () => undefined });
  return async () => {
    const { url, body } = next();
    const { status } = await handler.fetch(new Request(url, { method: "POST", body }));
    if (status !== 200) throw new Error(`The handler returned ${status}.`);
  };
}

function bodyOf(id: number, order: typeof ORDER): string {
  return JSON.stringify({ id, status: "approved", ...order, transactionDate: "2026-03-01T12:31:00.000Z" });
}

async function peers(): Promise<Record<string, (body: string, secret: string) => ReturnType<Prepare>>> {
  return (await import(`${PEERS}/peers.ts`)).verifies;
}
