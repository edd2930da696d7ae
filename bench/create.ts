// What a create call costs beside other SDKs: CPU, latency and allocated memory.
// node bench/create.ts [--rounds 5] [--calls 1000]
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GCProfiler } from "node:v8";
import { contenders } from "./contenders.ts";
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
  type Worker,
} from "./helpers.ts";
import { anAnswer, anOrder, type Connect, type Create, KINDS, type Kind, TRANSACTION_ID } from "./order.ts";

const IN_FLIGHT = [1, 16, 64];
/** Calls before each measurement: a process that was idle while others worked finds its caches cold. */
const SETTLE_CALLS = 200;

/** A young generation so large that nothing is collected in a batch: the growth of the heap is what was allocated. */
const ALLOCATION_OPTIONS = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];
const ALLOCATION_WARM_UP = 3_000;
const ALLOCATION_BATCHES = 9;
const ALLOCATION_CALLS = 100;

/** What a process of a contender is asked. */
interface Task {
  readonly kind: Kind;
  readonly inFlight: number;
  readonly settleCalls: number;
  readonly calls: number;
}

const [role, ...args] = process.argv.slice(2);
if (role === "service") await runService();
else if (role === "contender") await runContender(args[0] ?? "", args[1] ?? "");
else if (role === "allocations") await runAllocations(args[0] ?? "", args[1] ?? "");
else await main();

async function main(): Promise<void> {
  const rounds = numberOption("rounds", 5);
  const calls = numberOption("calls", 1_000);
  const names = Object.keys(await allContenders(arePeersInstalled()));
  await using service = startWorker(import.meta.filename, ["service"]);
  const urls = await service.ask<Record<Kind, string>>({});

  printTitle("A create call");
  for (const kind of KINDS) {
    const results = await timeInRounds(names, rounds, urls[kind], { kind, calls });
    const allocated = kind === "card" ? await allocationsOf(names, urls.card) : undefined;
    console.log(`**${kind}** (${rounds} rounds of ${calls} calls; ratios to fetch)\n`);
    printTable(
      [
        "contender",
        ...IN_FLIGHT.map((inFlight) => `CPU, ${inFlight} in flight`),
        ...IN_FLIGHT.map((inFlight) => `latency, ${inFlight}`),
        ...(allocated ? ["kB allocated"] : []),
      ],
      names.map((name) => [
        name,
        ...IN_FLIGHT.map((inFlight) => cpuCell(results, name, inFlight)),
        ...IN_FLIGHT.map((inFlight) => latencyCell(results, name, inFlight)),
        ...(allocated ? [((allocated.get(name) ?? Number.NaN) / 1000).toFixed(1)] : []),
      ]),
    );
  }
}

/** In every round each contender has a new process. They take turns: only one of them works at a time. */
async function timeInRounds(
  names: readonly string[],
  rounds: number,
  baseUrl: string,
  { kind, calls }: Pick<Task, "kind" | "calls">,
): Promise<Results> {
  const all: Results = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    await using processes = new AsyncDisposableStack();
    const workers = new Map<string, Worker>();
    for (const name of names)
      workers.set(name, processes.use(startWorker(import.meta.filename, ["contender", name, baseUrl])));
    const measure = (task: Task) => async (name: string) =>
      (await workers.get(name)?.ask<Record<string, number>>(task)) ?? {};

    const figures = new Map(names.map((name) => [name, {}]));
    // To warm up: a server that runs for days is warm.
    for (const inFlight of IN_FLIGHT)
      await inRounds(names, 1, measure({ kind, inFlight, settleCalls: 0, calls }));
    for (const inFlight of IN_FLIGHT) {
      const task = { kind, inFlight, settleCalls: SETTLE_CALLS, calls };
      for (const [name, [record]] of await inRounds(names, 1, measure(task)))
        Object.assign(figures.get(name) ?? {}, record);
    }
    for (const [name, record] of figures) all.get(name)?.push(record);
  }
  return all;
}

async function allocationsOf(names: readonly string[], baseUrl: string): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  for (const name of names) {
    const args = ["allocations", name, baseUrl];
    await using worker = startWorker(import.meta.filename, args, ALLOCATION_OPTIONS);
    bytes.set(name, await worker.ask<number>({}));
  }
  return bytes;
}

function cpuCell(results: Results, name: string, inFlight: number): string {
  const key = `cpu ${inFlight}`;
  if (name === "fetch") return `1 (${medianOf(results, name, key).toFixed(0)} µs)`;
  return ratioCell(results, name, key);
}

function latencyCell(results: Results, name: string, inFlight: number): string {
  const key = `latency ${inFlight}`;
  if (name === "fetch") return `1 (${medianOf(results, name, key).toFixed(0)} µs)`;
  return ratioCell(results, name, key).split(" ")[0] ?? "";
}

// In a process of a contender

async function runContender(name: string, baseUrl: string): Promise<void> {
  const create = await connect(name, baseUrl);
  onTask(async ({ kind, inFlight, settleCalls, calls }: Task) => {
    await makeCalls(create, kind, inFlight, settleCalls);
    const before = process.cpuUsage();
    const took = await makeCalls(create, kind, inFlight, calls);
    const { user, system } = process.cpuUsage(before);
    return { [`cpu ${inFlight}`]: (user + system) / calls, [`latency ${inFlight}`]: 1000 * median(took) };
  });
}

/** Bytes of V8's heap that a call allocates, one call at a time: the median of the batches without a collection. */
async function runAllocations(name: string, baseUrl: string): Promise<void> {
  const create = await connect(name, baseUrl);
  onTask(async () => {
    await makeCalls(create, "card", 1, ALLOCATION_WARM_UP);
    const allocated: number[] = [];
    for (let batch = 0; batch < ALLOCATION_BATCHES; batch += 1) {
      globalThis.gc?.();
      const collections = new GCProfiler();
      collections.start();
      const before = process.memoryUsage().heapUsed;
      await makeCalls(create, "card", 1, ALLOCATION_CALLS);
      const after = process.memoryUsage().heapUsed;
      if (collections.stop()?.statistics.length === 0) allocated.push((after - before) / ALLOCATION_CALLS);
    }
    if (allocated.length <= ALLOCATION_BATCHES / 2) throw new Error("Most batches were collected.");
    return median(allocated);
  });
}

async function connect(name: string, baseUrl: string): Promise<Create> {
  const found = (await allContenders(true))[name];
  if (!found) throw new TypeError(`No contender is called ${name}.`);
  return found(baseUrl);
}

async function allContenders(withPeers: boolean): Promise<Readonly<Record<string, Connect>>> {
  const { creates } = withPeers ? await import(`${PEERS}/peers.ts`) : {};
  return { ...contenders, ...creates };
}

/** Milliseconds of each call. */
async function makeCalls(create: Create, kind: Kind, inFlight: number, calls: number): Promise<Float64Array> {
  const took = new Float64Array(calls);
  let next = 0;
  const lane = async () => {
    while (next < calls) {
      const call = next++;
      const start = performance.now();
      const id = await create(anOrder(kind, `order-${call}`));
      took[call] = performance.now() - start;
      if (id !== TRANSACTION_ID) throw new Error(`${id} is not the id that was answered.`);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return took;
}

// In the process of the service: a port for each kind, which answers the same bytes to every request

async function runService(): Promise<void> {
  const urls = Object.fromEntries(
    await Promise.all(KINDS.map(async (kind) => [kind, await listen(anAnswer(kind, TRANSACTION_ID, ""))])),
  );
  onTask(() => urls);
}

async function listen(answer: string): Promise<string> {
  const body = Buffer.from(answer);
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    "x-request-id": "req_7f1c2b6e6f5a4d1a",
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().on("end", () => response.writeHead(201, headers).end(body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
