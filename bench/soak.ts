// A long run against a sandbox that fails and recovers, and knows what it charged. Nobody may be charged twice, no call
// may report something that is not true of the charge, and nothing may be left behind.
// node bench/soak.ts [--cycles 5]
import { getEventListeners, once, setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { FAULT_KINDS, type Gateway, SANDBOX_PUBLIC_KEY, SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { aPix } from "../test/system/runtimes/smoke/orders.ts";
import { numberOption, onTask, printTable, printTitle, startWorker } from "./helpers.ts";

/** Milliseconds that the sandbox works at the beginning and at the end of a cycle, and after each kind of fault. */
const HEALTHY_MS = 1_500;
const FAULT_MS = 400;
/** How often each kind of fault occurs in a cycle. */
const FAULTS = 60;
/** Milliseconds that the client waits for a response. */
const TIMEOUT_MS = 1_000;

const IN_FLIGHT = 64;
/** Orders that the store keeps: it is full, and has to forget, from the first cycle on. */
const KEPT_ORDERS = 1_000;
const ATTEMPTS = 3;
/** The share of calls that the caller aborts. */
const ABORTED = 0.05;
/** Node's own heap varies by one or two percent. */
const MAX_GROWTH_PERCENT = 5;

/** The end of a cycle of the merchant. */
interface Cycle {
  /** References of which every call reported that no one was charged. */
  readonly notCharged: readonly string[];
  /** Bytes in use. */
  readonly heap: number;
}

/** A step of the merchant: it creates orders for so many milliseconds, or ends. */
type Step = number | "end";

async function main(): Promise<void> {
  const cycles = numberOption("cycles", 5);
  printTitle("Soak");
  console.log(`${IN_FLIGHT} calls in flight, timeout ${TIMEOUT_MS} ms, ${cycles} cycles.`);
  console.log(`In each cycle ${FAULTS} times each: ${FAULT_KINDS.join(", ")}.\n`);
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
  const { gateway, baseUrl, close } = await startSandbox();
  await using merchant = startWorker(
    import.meta.filename,
    ["merchant", transport, store, baseUrl],
    ["--expose-gc"],
  );
  const heaps: number[] = [];
  let misreported = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const working = merchant.ask<Cycle>(2 * HEALTHY_MS + FAULT_KINDS.length * FAULT_MS);
    await pause(HEALTHY_MS);
    for (const kind of FAULT_KINDS) {
      gateway.faults.add({ on: "transactions.create", kind, times: FAULTS });
      await pause(FAULT_MS);
    }
    gateway.faults.clear();
    const { notCharged, heap } = await working;
    const charged = new Set(chargesOf(gateway).map(({ externalId }) => externalId));
    misreported += notCharged.filter((order) => charged.has(order)).length;
    heaps.push(heap);
  }

  const connections = await connectionsWhenIdle();
  const { calls, outcomes, left } = await merchant.ask<ReturnType<Merchant["end"]>>("end");
  merchant.child.disconnect();
  const endsByItself = await Promise.race([
    once(merchant.child, "exit"),
    pause(2_000, undefined, { ref: false }),
  ]);
  await close();
  const charges = chargesOf(gateway);
  const mustBeZero = {
    "customers charged twice": charges.length - new Set(charges.map(({ externalId }) => externalId)).size,
    "charged, but reported as not charged": misreported,
    ...left,
    "connections left": connections,
    "processes that do not end": endsByItself ? 0 : 1,
  };
  const least = Math.min(...heaps.slice(1)); // the first cycle still compiles
  const growth = ((heaps.at(-1) ?? Number.NaN) / least - 1) * 100;
  const isWrong = Object.values(mustBeZero).some((count) => count !== 0) || !(growth < MAX_GROWTH_PERCENT);
  if (isWrong || charges.length === 0) process.exitCode = 1;
  return {
    way: `${transport}, ${store}`,
    calls,
    charges: charges.length,
    ...mustBeZero,
    "growth of the heap, %": growth.toFixed(1),
    ...Object.fromEntries(Object.entries(outcomes).sort()),
  };
}

const chargesOf = ({ transactions }: Gateway) => transactions.filter(({ status }) => status !== "refused");

/** Waits at most 12 s until the connections to the sandbox, which is in this process, are closed. */
async function connectionsWhenIdle(): Promise<number> {
  const count = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
  for (let waited = 0; waited < 12_000 && count() > 0; waited += 100) await pause(100);
  return count();
}

// In the process of the merchant

type Merchant = ReturnType<typeof createMerchant>;

function createMerchant(transport: string, storeName: string, baseUrl: string) {
  const fetch = transport === "nodeTransport" ? nodeTransport() : undefined;
  const store = storeName === "memoryStore" ? memoryStore({ maxOrders: KEPT_ORDERS }) : undefined;
  const keys = { publicKey: SANDBOX_PUBLIC_KEY, secretKey: SANDBOX_SECRET_KEY };
  const payments = new PaymentsClient({ baseUrl, ...keys, timeout: TIMEOUT_MS, fetch, idempotency: store });
  const shop = new AbortController(); // one for the whole life of a server
  setMaxListeners(0, shop.signal);

  let [orders, calls, ended, withoutOutcome] = [0, 0, 0, 0];
  const outcomes: Record<string, number> = {};
  let notCharged = new Set<string>();

  /** One order after the other, each sent again if that is safe: with a store it always is. */
  async function createOrders(until: number): Promise<void> {
    while (performance.now() < until) {
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
    const { outcome, code } = await payments.transactions
      .createPix(aPix(externalRef), { signal: caller?.signal ?? shop.signal })
      .then(() => ({ outcome: "created", code: "a result" }), outcomeOf);
    clearTimeout(timer);
    ended += 1;
    outcomes[`${outcome} (${code})`] = (outcomes[`${outcome} (${code})`] ?? 0) + 1;
    if (outcome === "not_applicable") withoutOutcome += 1;
    if (outcome !== "not_sent" && outcome !== "rejected") notCharged.delete(externalRef);
    return outcome;
  }

  return {
    async work(forMs: number): Promise<Cycle> {
      notCharged = new Set();
      const until = performance.now() + forMs;
      const working = Promise.all(Array.from({ length: IN_FLIGHT }, () => createOrders(until)));
      await Promise.race([working, pause(forMs + 40 * TIMEOUT_MS, undefined, { ref: false })]);
      if (store) {
        // The store forgets no unresolved order. These orders are not sent again, so that any resolution will do.
        for await (const { externalRef } of store.unresolved())
          await store.resolve(externalRef, { charged: false });
      }
      return { notCharged: [...notCharged], heap: await heapInUse() };
    },
    end() {
      process.removeAllListeners("disconnect"); // it has to end by itself
      const left = {
        "calls that did not end": calls - ended,
        "calls that ended without an outcome": withoutOutcome,
        "listeners left on the shared signal": getEventListeners(shop.signal, "abort").length,
      };
      return { calls, outcomes, left };
    },
  };
}

function runMerchant(merchant: Merchant): void {
  onTask((step: Step) => (step === "end" ? merchant.end() : merchant.work(step)));
}

function outcomeOf(error: unknown): { outcome: string; code: string } {
  return isPaymentsError(error) ? error : { outcome: "not_applicable", code: String(error) };
}

async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    globalThis.gc?.();
    await pause(5); // for what is cleaned up after a collection
  }
  return process.memoryUsage().heapUsed;
}

const [role, ...args] = process.argv.slice(2);
if (role === "merchant") runMerchant(createMerchant(args[0] ?? "", args[1] ?? "", args[2] ?? ""));
else await main();
