// What a create call costs beside other SDKs: CPU, latency and allocated memory.
// node bench/create.ts [--rounds 5] [--calls 1000]
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GCProfiler } from "node:v8";
import type { PaymentsClientOptions, PaymentsEvent } from "payments-sdk";
import {
  arePeersInstalled,
  inRounds,
  median,
  medianOf,
  numberOption,
  onTask,
  PEERS,
  printTable,
  printTitle,
  type Results,
  ratioCell,
  startWorker,
} from "./helpers.ts";
import {
  AUTHORIZATION,
  anOrder,
  aResponseBody,
  type Connect,
  type Create,
  type Kind,
  PUBLIC_KEY,
  REQUEST_ID,
  SECRET_KEY,
  TRANSACTION_ID,
} from "./order.ts";

/** What is measured, in a table of its own. */
interface Case {
  readonly title: string;
  readonly kind: Kind;
  /** Whether payments-sdk has `onEvent`. */
  readonly hasListener: boolean;
}

const CASES: readonly Case[] = [
  { title: "A card payment that is approved", kind: "card", hasListener: false },
  { title: "A card that is refused, with its reason", kind: "refused card", hasListener: false },
  { title: "An approved card, with `onEvent`", kind: "card", hasListener: true },
  { title: "A refused card, with `onEvent`", kind: "refused card", hasListener: true },
];

const IN_FLIGHT = [1, 16, 64];

/** A young generation so large that nothing is collected in a batch: the growth of the heap is what was allocated. */
const ALLOCATION_OPTIONS = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];
const ALLOCATION_WARM_UP = 3_000;
const ALLOCATION_BATCHES = 9;
const ALLOCATION_CALLS = 100;

async function main(): Promise<void> {
  const rounds = numberOption("rounds", 5);
  const calls = numberOption("calls", 1_000);
  const withPeers = arePeersInstalled();
  const names = Object.keys(contenders).filter((name) => name !== "stripe" || withPeers);

  printTitle("A create call");
  console.log(`${rounds} rounds of ${calls} calls; ratios to fetch.\n`);
  for (const { title, kind, hasListener } of CASES) {
    await using service = await startService(kind);
    const target = [service.url, String(hasListener)];
    // In every round each contender has a new process. They take turns: only one of them works at a time.
    const results = await inRounds(names, rounds, async (name) => {
      await using worker = startWorker(import.meta.filename, ["contender", name, ...target]);
      return await worker.ask(calls);
    });
    const allocated = await inRounds(names, 1, async (name) => {
      await using worker = startWorker(
        import.meta.filename,
        ["allocations", name, ...target],
        ALLOCATION_OPTIONS,
      );
      return await worker.ask({});
    });
    console.log(`**${title}**\n`);
    printTable(
      [
        "contender",
        ...IN_FLIGHT.map((inFlight) => `CPU, ${inFlight} in flight`),
        ...IN_FLIGHT.map((inFlight) => `latency, ${inFlight}`),
        "kB allocated",
      ],
      names.map((name) => [
        name,
        ...IN_FLIGHT.map((inFlight) => cell(results, name, `cpu ${inFlight}`)),
        ...IN_FLIGHT.map((inFlight) => cell(results, name, `latency ${inFlight}`).replace(/ \(.* to .*/, "")),
        medianOf(allocated, name, "kB").toFixed(1),
      ]),
    );
  }
}

function cell(results: Results, name: string, key: string): string {
  return name === "fetch"
    ? `1 (${medianOf(results, name, key).toFixed(0)} µs)`
    : ratioCell(results, name, key);
}

/** In this process, which only waits meanwhile. Returns the same bytes to every request. */
async function startService(kind: Kind) {
  const body = Buffer.from(aResponseBody(kind));
  const type = { "content-type": "application/json", "content-length": body.length };
  const headers = { ...type, "x-request-id": REQUEST_ID };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().on("end", () => response.writeHead(201, headers).end(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

// In a process of a contender

/** Makes calls of a contender and returns the milliseconds of each. */
type MakeCalls = (inFlight: number, calls: number) => Promise<Float64Array>;

function runContender(makeCalls: MakeCalls): void {
  onTask(async (calls: number) => {
    const figures: Record<string, number> = {};
    // To warm up: a server that runs for days is warm.
    for (const inFlight of IN_FLIGHT) await makeCalls(inFlight, calls);
    for (const inFlight of IN_FLIGHT) {
      const before = process.cpuUsage();
      const took = await makeCalls(inFlight, calls);
      const { user, system } = process.cpuUsage(before);
      figures[`cpu ${inFlight}`] = (user + system) / calls;
      figures[`latency ${inFlight}`] = 1000 * median(took);
    }
    return figures;
  });
}

/** Bytes of V8's heap that a call allocates, one call at a time: the median of the batches without a collection. */
function runAllocations(makeCalls: MakeCalls): void {
  onTask(async () => {
    await makeCalls(1, ALLOCATION_WARM_UP);
    const allocated: number[] = [];
    for (let batch = 0; batch < ALLOCATION_BATCHES; batch += 1) {
      globalThis.gc?.();
      const collections = new GCProfiler();
      collections.start();
      const before = process.memoryUsage().heapUsed;
      await makeCalls(1, ALLOCATION_CALLS);
      const after = process.memoryUsage().heapUsed;
      if (collections.stop()?.statistics.length === 0) allocated.push((after - before) / ALLOCATION_CALLS);
    }
    if (allocated.length <= ALLOCATION_BATCHES / 2) throw new Error("Most batches were collected.");
    return { kB: median(allocated) / 1000 };
  });
}

const HEADERS = { "content-type": "application/json", authorization: AUTHORIZATION };
const KEYS = { publicKey: PUBLIC_KEY, secretKey: SECRET_KEY };

const contenders: Readonly<Record<string, Connect>> = {
  /** The baseline: what Node brings, without a timeout and without a check of the response. */
  fetch: (baseUrl) => async (order) => {
    const init = { method: "POST", headers: HEADERS, body: JSON.stringify(order) };
    const response = await fetch(`${baseUrl}/api/v1/transactions`, init);
    return JSON.parse(await response.text()).data.id;
  },

  "payments-sdk": (baseUrl, hasListener) => ours({ baseUrl, ...KEYS }, hasListener),

  "payments-sdk, nodeTransport": async (baseUrl, hasListener) => {
    const { nodeTransport } = await import("payments-sdk/node");
    return ours({ baseUrl, ...KEYS, fetch: nodeTransport() }, hasListener);
  },

  stripe: async (baseUrl, hasListener) => (await import(`${PEERS}/stripe.ts`)).connect(baseUrl, hasListener),
};

/** The listener reads the request id, as a log would. */
async function ours(options: PaymentsClientOptions, hasListener: boolean): Promise<Create> {
  const { PaymentsClient } = await import("payments-sdk");
  let heard: string | undefined;
  const onEvent = (event: PaymentsEvent) => {
    if (event.type === "response") heard = event.requestId;
  };
  const payments = new PaymentsClient(hasListener ? { ...options, onEvent } : options);
  return async (order) => {
    const { id } = await payments.transactions.create(order);
    if (hasListener && heard !== REQUEST_ID) throw new Error(`The listener received ${heard}.`);
    return id;
  };
}

async function connect([name = "", baseUrl = "", hasListener]: readonly string[]): Promise<MakeCalls> {
  const found = contenders[name];
  if (!found) throw new TypeError(`No contender is called ${name}.`);
  const create = await found(baseUrl, hasListener === "true");
  return async (inFlight, calls) => {
    const took = new Float64Array(calls);
    let next = 0;
    const lane = async () => {
      while (next < calls) {
        const call = next++;
        const start = performance.now();
        const id = await create(anOrder(`order-${call}`));
        took[call] = performance.now() - start;
        if (id !== TRANSACTION_ID) throw new Error(`${id} is not the id in the response.`);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return took;
  };
}

const [role, ...args] = process.argv.slice(2);
if (role === "contender") runContender(await connect(args));
else if (role === "allocations") runAllocations(await connect(args));
else await main();
