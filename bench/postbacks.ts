// What it costs to receive a postback: to parse it, to verify its URL, and all that the handler does.
// node bench/postbacks.ts [--rounds 5] [--calls 3000]
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import { inRounds, medianOf, numberOption, onTask, printTable, printTitle, startWorker } from "./helpers.ts";

const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "a secret of the benchmark, 32 bytes" }] });

async function aPostback(call: number) {
  const order = { externalRef: `order-${call}`, amount: 10_000 };
  const postback = {
    id: 81_001 + call,
    status: "approved",
    ...order,
    transactionDate: "2026-03-01T12:31:00.000Z",
  };
  return { url: await signer.sign("https://shop.example/postbacks", order), body: JSON.stringify(postback) };
}
type SignedPostback = Awaited<ReturnType<typeof aPostback>>;

/** From a `Request` to a `Response`, with a memory store and an empty `onPostback`. */
const handler = createPostbackHandler({ signer, store: memoryStore(), onPostback: () => undefined });

async function receive({ url, body }: SignedPostback): Promise<void> {
  const { status } = await handler.fetch(new Request(url, { method: "POST", body }));
  if (status !== 200) throw new Error(`The handler returned ${status}.`);
}

/** What is measured. A repeated postback is the same one each time. */
const CASES: Readonly<Record<string, (postback: SignedPostback) => unknown>> = {
  "JSON.parse": ({ body }) => JSON.parse(body),
  parsePostback: ({ body }) => parsePostback(body),
  "signer.verify": ({ url, body }) => signer.verify(url, parsePostback(body)),
  "handler.fetch, a new postback": receive,
  "handler.fetch, a repeated postback": receive,
};

async function main(): Promise<void> {
  const rounds = numberOption("rounds", 5);
  const calls = numberOption("calls", 3_000);
  const names = Object.keys(CASES);
  const results = await inRounds(names, rounds, async (name) => {
    await using worker = startWorker(import.meta.filename, [name]);
    await worker.ask(calls); // to warm up
    return await worker.ask(calls);
  });
  printTitle("Receiving a postback");
  console.log(
    `${rounds} rounds of ${calls} calls, one after the other; each case in a process of its own.\n`,
  );
  const cell = (name: string, figure: string) => medianOf(results, name, figure).toFixed(1);
  printTable(
    ["case", "µs a call", "µs of CPU a call"],
    names.map((name) => [name, cell(name, "time"), cell(name, "cpu")]),
  );
}

function runCase(name: string): void {
  onTask(async (calls: number) => {
    const isRepeated = name.endsWith("a repeated postback");
    const postbacks = await Promise.all(
      Array.from({ length: calls }, (_, call) => aPostback(isRepeated ? 0 : call)),
    );
    const measured = CASES[name];
    const before = process.cpuUsage();
    const start = performance.now();
    for (const postback of postbacks) await measured?.(postback);
    const time = 1000 * (performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    return { time: time / calls, cpu: (user + system) / calls };
  });
}

const name = process.argv.find((argument) => argument in CASES);
if (name === undefined) await main();
else runCase(name);
