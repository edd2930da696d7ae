// The processes of the benchmark of the stores, and what starts them. The argument is JSON of WorkerSettings.
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { postgresStore, sqliteStore } from "payments-sdk/idempotency";
import { Pool } from "pg";
import { onTask, startWorker } from "./helpers.ts";
import { openShopByHand } from "./stores-by-hand.ts";
import { aPostback, countOf, openHandler, type Row } from "./stores-shop.ts";

interface WorkerSettings {
  readonly postgres?: { host: string; port: number; user: string; database: string; schema: string };
  /** A path. */
  readonly sqlite?: string;
  /** Receives postbacks; otherwise the worker lists orders. */
  readonly contender?: "hand" | "store";
}

export function startStoresWorker(settings: WorkerSettings) {
  return startWorker(import.meta.filename, [JSON.stringify(settings)]);
}

/** Lists all orders of a store in a process of its own. */
export async function measureList(label: string, goal: string, settings: WorkerSettings): Promise<Row> {
  await using worker = startStoresWorker(settings);
  const { count, seconds, stallMs, grownMB } = await worker.ask<ListFigures>({});
  if (count === 0) throw new Error("Nothing was listed.");
  return {
    label,
    goal: `${goal}, stall 20 ms, 60 MB`,
    store: `${seconds.toFixed(1)} s, stall ${stallMs.toFixed(0)} ms, ${grownMB.toFixed(0)} MB`,
  };
}

interface ListFigures {
  readonly count: number;
  readonly seconds: number;
  /** The longest time for which the process did nothing else. */
  readonly stallMs: number;
  readonly grownMB: number;
}

type Opened = ReturnType<typeof openStore>;

function openStore({ postgres, sqlite }: WorkerSettings) {
  if (sqlite !== undefined) return { store: sqliteStore(sqlite), byHand: undefined };
  const pool = new Pool({ ...postgres, options: `-c search_path=${postgres?.schema}` });
  return { store: postgresStore(pool), byHand: openShopByHand(pool, false) };
}

async function list({ store }: Opened): Promise<ListFigures> {
  await store.get("nothing"); // connects
  const delays = monitorEventLoopDelay({ resolution: 1 });
  await pause(100);
  writeFileSync("/proc/self/clear_refs", "5"); // the peak begins now
  const before = readMemory("VmRSS");
  delays.enable();
  const start = performance.now();
  const count = await countOf(store.list());
  const seconds = (performance.now() - start) / 1000;
  await pause(5); // a stall is measured after it
  delays.disable();
  const grownMB = (readMemory("VmHWM") - before) / 1024;
  return { count, seconds, stallMs: delays.max / 1e6, grownMB };
}

/** Kilobytes of this process: now, or at its peak. */
function readMemory(name: "VmRSS" | "VmHWM"): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}

export interface LoadTask {
  readonly first: number;
  readonly count: number;
  /** A second. */
  readonly rate: number;
}

/** Postbacks at a constant rate, however long each takes: milliseconds from when one was due until its response. */
async function load({ store, byHand }: Opened, contender: string, task: LoadTask): Promise<number[]> {
  const { first, count, rate } = task;
  const orders = Array.from({ length: count }, (_, index) => first + index);
  const postbacks = await Promise.all(orders.map((order) => aPostback(order)));
  const handler = openHandler(store, () => undefined);
  const receive = async (index: number): Promise<void> => {
    if (contender === "hand") return byHand?.receive(first + index);
    const { url = "", body = "" } = postbacks[index] ?? {};
    const { status } = await handler.fetch(new Request(url, { method: "POST", body }));
    if (status !== 200) throw new Error(`The handler returned ${status}.`);
  };
  const took: Promise<number>[] = [];
  const start = performance.now();
  for (let index = 0; index < count; index += 1) {
    const dueAt = start + (1000 * index) / rate;
    const wait = dueAt - performance.now();
    if (wait > 1) await pause(wait);
    took.push(receive(index).then(() => performance.now() - dueAt));
  }
  const results = await Promise.all(took);
  await handler[Symbol.asyncDispose]();
  return results;
}

if (import.meta.main) {
  const settings: WorkerSettings = JSON.parse(process.argv[2] ?? "");
  const opened = openStore(settings);
  const { contender } = settings;
  if (contender === undefined) onTask(() => list(opened));
  else onTask((task: LoadTask) => load(opened, contender, task));
}
