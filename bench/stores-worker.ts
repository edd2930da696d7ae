// Processes of the benchmark of the stores. The argument is JSON of WorkerSettings.
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "pg";
import { onTask } from "./helpers.ts";
import { openShopByHand } from "./stores-by-hand.ts";
import {
  aPostback,
  countOf,
  forEachOrder,
  loadBuild,
  openClient,
  openHandler,
  transactionIdOf,
} from "./stores-shop.ts";

export interface WorkerSettings {
  /** Of the build. */
  readonly folder: string;
  readonly role: "list" | "load" | "sigterm";
  readonly postgres?: { host: string; port: number; user: string; database: string; schema: string };
  /** A path. */
  readonly sqlite?: string;
  readonly namespace?: string;
  readonly contender?: "bare" | "hand" | "store";
}

export interface ListFigures {
  readonly count: number;
  readonly seconds: number;
  /** The longest time for which the process did nothing else. */
  readonly stallMs: number;
  readonly grownMB: number;
}

interface Orders {
  readonly first: number;
  readonly count: number;
}

const { folder, role, postgres, sqlite, namespace, contender } = JSON.parse(
  process.argv[2] ?? "",
) as WorkerSettings;
const build = await loadBuild(folder);
const pool = new Pool({
  ...postgres,
  options: `-c search_path=${postgres?.schema}`,
  max: role === "sigterm" ? 5 : 10,
});
const storeOptions = namespace === undefined ? {} : { namespace };
const store = sqlite === undefined ? build.postgresStore(pool, storeOptions) : build.sqliteStore(sqlite);

async function list(): Promise<ListFigures> {
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

/** Postbacks at a constant rate, however long each takes: milliseconds from when one was due until its response. */
async function load({ first, count, rate }: Orders & { readonly rate: number }): Promise<number[]> {
  const orders = Array.from({ length: count }, (_, index) => first + index);
  const postbacks = await Promise.all(orders.map((order) => aPostback(build, order)));
  const byHand = openShopByHand(pool, false);
  const handler = openHandler(build, store, () => undefined);
  const receive = async (index: number): Promise<void> => {
    const { url = "", body = "" } = postbacks[index] ?? {};
    const order = first + index;
    if (contender === "bare") {
      await pool.query("INSERT INTO bare VALUES ($1, now(), $2)", [transactionIdOf(order), body]);
      return;
    }
    if (contender === "hand") return byHand.receive(order);
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

/** Resolves when the calls are in flight. A signal ends the process as a shop would end it with this build. */
async function startCalls({ first, count }: Orders): Promise<void> {
  const { payments, create } = openClient(build, store, { respondAfterMs: 3_000 });
  const { close } = payments as { close?: (options: { timeout: number }) => Promise<unknown> };
  if (close !== undefined) {
    process.on("SIGTERM", async () => {
      await close.call(payments, { timeout: 10_000 });
      await pool.end();
      process.exit();
    });
  }
  void forEachOrder({ first, count, inFlight: count }, (order) => create(order).catch(() => undefined));
  await pause(1_500);
}

if (role === "list") onTask(list);
if (role === "load") onTask(load);
if (role === "sigterm") onTask(startCalls);
