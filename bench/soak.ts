// A long run against a service that is slow, fails and recovers, and knows what it charged. Nobody may be charged
// twice, no call may report something that is not true of the charge, and nothing may be left behind.
// node bench/soak.ts [--cycles 5]
import { getEventListeners, once, setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { numberOption, onTask, printTable, printTitle, startWorker, type Worker } from "./helpers.ts";
import { anOrder, aResponseBody, PUBLIC_KEY, SECRET_KEY } from "./order.ts";

/** Milliseconds of each phase of a cycle. */
const PHASES = {
  healthy: 2_100,
  slow: 900,
  failing: 1_100,
  leaving: 500,
  refusing: 500,
  recovering: 900,
};
type Phase = keyof typeof PHASES;
/** Milliseconds that the client waits for a response. */
const TIMEOUT_MS = 400;

const IN_FLIGHT = 64;
/** Orders that the store keeps: it is full, and has to forget, from the first cycle on. */
const KEPT_ORDERS = 1_000;
const ATTEMPTS = 3;
/** The share of calls that the caller aborts. */
const ABORTED = 0.05;
/** Node's own heap varies by one or two percent. */
const MAX_GROWTH_PERCENT = 5;

/** Transaction ids by reference. */
type Ids = ReadonlyMap<string, number>;

/** What the merchant knows at the end of a cycle. */
interface Books {
  /** References of which every call reported that no one was charged. */
  readonly notCharged: readonly string[];
  /** What the calls returned. */
  readonly results: Ids;
  /** References that the store lists as unresolved. */
  readonly unresolved: readonly string[];
}

async function main(): Promise<void> {
  const cycles = numberOption("cycles", 5);
  printTitle("Soak");
  const phases = Object.entries(PHASES).map(([phase, duration]) => `${phase} ${duration}`);
  console.log(`${IN_FLIGHT} calls in flight, timeout ${TIMEOUT_MS} ms, ${cycles} cycles.`);
  console.log(`Milliseconds of each phase of a cycle: ${phases.join(", ")}.\n`);
  const soaked: Record<string, number | string>[] = [];
  for (const transport of ["fetch", "nodeTransport"])
    for (const store of ["no store", "memoryStore"]) soaked.push(await soak(transport, store, cycles));
  const rows = [...new Set(soaked.flatMap((figures) => Object.keys(figures)))];
  const [way = "", ...figures] = rows;
  printTable(
    [way, ...soaked.map((one) => String(one[way]))],
    figures.map((row) => [row, ...soaked.map((one) => String(one[row] ?? 0))]),
  );
}

/** Runs one way to use the package, and sets the exit code if something is wrong. */
async function soak(transport: string, store: string, cycles: number) {
  await using service = startWorker(import.meta.filename, ["service"]);
  const { url } = await service.ask<{ url: string }>({});
  const merchantArgs = ["merchant", transport, store, url];
  await using merchant = startWorker(import.meta.filename, merchantArgs, ["--expose-gc"]);
  const idsOf = (references: readonly string[]) => service.ask<Ids>({ idsOf: references });

  const heaps: number[] = [];
  const wrong = { "charged, but reported as not charged": 0, "results that the service does not have": 0 };
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await merchant.ask({ step: "start" });
    for (const [phase, duration] of Object.entries(PHASES)) {
      await service.ask({ phase });
      await pause(duration);
    }
    await service.ask({ phase: "healthy" });
    const { notCharged, results, unresolved } = await merchant.ask<Books>({ step: "stop" });
    wrong["charged, but reported as not charged"] += (await idsOf(notCharged)).size;
    const ids = await idsOf([...results.keys()]);
    for (const [reference, id] of results)
      if (ids.get(reference) !== id) wrong["results that the service does not have"] += 1;
    heaps.push(await merchant.ask<number>({ step: "settle", unresolved, ids: await idsOf(unresolved) }));
  }

  const { open, charges, twice } = await countsWhenIdle(service);
  const { calls, outcomes, left } = await merchant.ask<Totals>({ step: "end" });
  merchant.child.disconnect();
  const endsByItself = await Promise.race([
    once(merchant.child, "exit"),
    pause(2_000, undefined, { ref: false }),
  ]);
  const mustBeZero = {
    "customers charged twice": twice,
    ...wrong,
    ...left,
    "connections left": open,
    "processes that do not end": endsByItself ? 0 : 1,
  };
  const least = Math.min(...heaps.slice(1)); // the first cycle still compiles
  const growth = ((heaps.at(-1) ?? Number.NaN) / least - 1) * 100;
  const isWrong = Object.values(mustBeZero).some((count) => count !== 0) || !(growth < MAX_GROWTH_PERCENT);
  if (isWrong || charges === 0) process.exitCode = 1;
  return {
    way: `${transport}, ${store}`,
    calls,
    charges,
    ...mustBeZero,
    "growth of the heap, %": growth.toFixed(1),
    ...Object.fromEntries(Object.entries(outcomes).sort()),
  };
}

/** Waits until the client has closed its unused connections, but at most 12 s. */
async function countsWhenIdle(service: Worker): Promise<Counts> {
  for (let waited = 0; waited < 12_000; waited += 100) {
    const counts = await service.ask<Counts>({});
    if (counts.open === 0) return counts;
    await pause(100);
  }
  return service.ask<Counts>({});
}

// In the process of the merchant

interface MerchantTask {
  readonly step: "start" | "stop" | "settle" | "end";
  readonly unresolved?: readonly string[];
  readonly ids?: Ids;
}

interface Totals {
  readonly calls: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly left: Readonly<Record<string, number>>;
}

function runMerchant(transport: string, storeName: string, baseUrl: string): void {
  const fetch = transport === "nodeTransport" ? nodeTransport() : undefined;
  const store = storeName === "memoryStore" ? memoryStore({ maxOrders: KEPT_ORDERS }) : undefined;
  const keys = { publicKey: PUBLIC_KEY, secretKey: SECRET_KEY };
  const payments = new PaymentsClient({ baseUrl, ...keys, timeout: TIMEOUT_MS, fetch, idempotency: store });
  const shop = new AbortController(); // one for the whole life of a server
  setMaxListeners(0, shop.signal);

  let [orders, calls, ended, withoutOutcome] = [0, 0, 0, 0];
  const outcomes: Record<string, number> = {};
  let notCharged = new Set<string>();
  let results = new Map<string, number>();
  let isOpen = true;
  let working: Promise<unknown> = Promise.resolve();

  /** One order after the other, each sent again if that is safe: with a store it always is. */
  async function work(): Promise<void> {
    while (isOpen) {
      orders += 1;
      const externalRef = `order-${orders}`;
      notCharged.add(externalRef);
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const outcome = await create(externalRef);
        if (outcome === "created" || (outcome === "unknown" && !store)) break;
        await pause(10 + 20 * Math.random());
      }
    }
  }

  async function create(externalRef: string): Promise<string> {
    calls += 1;
    const caller = Math.random() < ABORTED ? new AbortController() : undefined;
    const timer = caller && setTimeout(() => caller.abort(), Math.random() * TIMEOUT_MS);
    const order = anOrder(externalRef);
    const { outcome, code, id } = await payments.transactions
      .create(order, { signal: caller?.signal ?? shop.signal })
      .then(({ id }) => ({ outcome: "created", code: "a result", id }), outcomeOf);
    clearTimeout(timer);
    ended += 1;
    outcomes[`${outcome} (${code})`] = (outcomes[`${outcome} (${code})`] ?? 0) + 1;
    if (id !== undefined) results.set(externalRef, id);
    if (outcome === "not_applicable") withoutOutcome += 1;
    if (outcome !== "not_sent" && outcome !== "rejected") notCharged.delete(externalRef);
    return outcome;
  }

  const steps = {
    start: () => {
      isOpen = true;
      working = Promise.all(Array.from({ length: IN_FLIGHT }, work));
    },
    stop: async (): Promise<Books> => {
      isOpen = false;
      await Promise.race([working, pause(40 * TIMEOUT_MS, undefined, { ref: false })]);
      const unresolved: string[] = [];
      if (store) for await (const { externalRef } of store.unresolved()) unresolved.push(externalRef);
      const books = { notCharged: [...notCharged], results, unresolved };
      [notCharged, results] = [new Set(), new Map()];
      return books;
    },
    /** Resolves what was unresolved as a person does who looks into the books of the service; returns the heap. */
    settle: async ({ unresolved = [], ids }: MerchantTask): Promise<number> => {
      for (const externalRef of unresolved) {
        const transactionId = ids?.get(externalRef);
        if (transactionId === undefined) await store?.resolve(externalRef, { charged: false });
        else await store?.resolve(externalRef, { transactionId, status: "approved" });
      }
      return heapInUse();
    },
    end: (): Totals => {
      process.removeAllListeners("disconnect"); // it has to end by itself
      const left = {
        "calls that did not end": calls - ended,
        "calls that ended without an outcome": withoutOutcome,
        "listeners left on the shared signal": getEventListeners(shop.signal, "abort").length,
      };
      return { calls, outcomes, left };
    },
  };
  onTask((task: MerchantTask) => steps[task.step](task));
}

function outcomeOf(error: unknown): { outcome: string; code: string; id?: number } {
  return isPaymentsError(error) ? error : { outcome: "not_applicable", code: String(error) };
}

async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    globalThis.gc?.();
    await pause(5); // for what is cleaned up after a collection
  }
  return process.memoryUsage().heapUsed;
}

// In the process of the service: it behaves as its phase says, and knows what it charged

interface Counts {
  readonly url: string;
  /** Connections. */
  readonly open: number;
  readonly charges: number;
  /** Charges of an order that was charged before. */
  readonly twice: number;
}

async function runService(): Promise<void> {
  const ids = new Map<string, number>();
  let [charges, twice, open] = [0, 0, 0];
  let phase: Phase = "healthy";

  /** Charges the customer, and returns the answer to the request. */
  function charge(body: string): string {
    const { externalRef } = JSON.parse(body) as { externalRef: string };
    charges += 1;
    if (ids.has(externalRef)) twice += 1;
    ids.set(externalRef, charges);
    return aResponseBody("card", charges, externalRef);
  }

  const service = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    if (phase === "failing" && Math.random() < 0.1) return request.socket.resetAndDestroy(); // before reading
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // the client is gone
    const ways = BEHAVIOURS[phase];
    ways[Math.floor(Math.random() * ways.length)]?.({ request, response, charge: () => charge(body) });
  });
  service.on("connection", (socket) => {
    open += 1;
    socket.on("error", () => undefined).on("close", () => (open -= 1));
  });
  const listen = (port: number) => once(service.listen(port, "127.0.0.1"), "listening");
  await listen(0);
  const { port } = service.address() as AddressInfo;

  onTask(async (task: { readonly phase?: Phase; readonly idsOf?: readonly string[] }) => {
    if (task.idsOf) return new Map(task.idsOf.flatMap((ref) => (ids.has(ref) ? [[ref, ids.get(ref)]] : [])));
    phase = task.phase ?? phase;
    if (phase === "refusing") service.close().closeAllConnections();
    else if (!service.listening) await listen(port);
    return { url: `http://127.0.0.1:${port}`, open, charges, twice };
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly charge: () => string;
}

const approve = ({ response, charge }: Exchange) => response.writeHead(201).end(charge());

const approveAfter = (delay: number) => {
  return ({ response, charge }: Exchange) => {
    const answer = charge();
    setTimeout(() => response.writeHead(201).end(answer), delay);
  };
};

const refuse = (status: number) => {
  return ({ response }: Exchange) => response.writeHead(status).end('{"success":false,"message":"Later"}');
};

/** What may become of a request in each phase, with equal probability. */
const BEHAVIOURS: Readonly<Record<Phase, readonly ((exchange: Exchange) => void)[]>> = {
  healthy: [approve],
  slow: [
    approveAfter(1.3 * TIMEOUT_MS),
    ({ response, charge }) => {
      const answer = charge();
      response.writeHead(201).write(answer.slice(0, 100));
      setTimeout(() => response.end(answer.slice(100)), 1.3 * TIMEOUT_MS);
    },
  ],
  failing: [
    refuse(503),
    refuse(429),
    (exchange) => {
      exchange.charge();
      refuse(503)(exchange);
    },
    ({ request, charge }) => {
      charge();
      request.socket.resetAndDestroy();
    },
    ({ request, charge }) => {
      charge();
      request.socket.end("HTTP/1.1 201 Created\r\ncontent-ty");
    },
    ({ request, response, charge }) => {
      response.writeHead(201).write(charge().slice(0, 100), () => request.socket.resetAndDestroy());
    },
    ({ response, charge }) => response.writeHead(201).end(charge().slice(0, -100)),
    ({ request }) => request.socket.end(),
  ],
  leaving: [
    approve,
    (exchange) => {
      approve(exchange);
      setTimeout(() => exchange.request.socket.end(), 10 * Math.random()); // the next request may be in flight
    },
  ],
  refusing: [approve], // requests that arrived before the port was closed
  recovering: [approve, approve, approveAfter(TIMEOUT_MS / 4), refuse(503)],
};

const [role, ...args] = process.argv.slice(2);
if (role === "merchant") runMerchant(args[0] ?? "", args[1] ?? "", args[2] ?? "");
else if (role === "service") await runService();
else await main();
