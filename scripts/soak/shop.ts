// The process of a shop: it sells at a constant rate, and ships what postbacks report as paid.
import { getEventListeners, setMaxListeners } from "node:events";
import { openSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { heapInUse, onTask } from "../../bench/helpers.ts";
import { listen } from "../../examples/support/receiver.ts";
import { aPix } from "../../test/system/runtimes/smoke/orders.ts";
import { SIGNING_KEYS } from "../../test/system/support/chance.ts";
import { openStore } from "../crash/databases.ts";
import {
  fateOf,
  isInFaults,
  type ShopFigures,
  type ShopSettings,
  type ShopTask,
  TIMEOUT_MS,
} from "./plan.ts";

const CALLBACK_FAILURES = 0.05;
/** The share of customers who leave while they wait for a response. */
const ABORTED = 0.05;
/** A create call is late if it begins this long after it should. */
const LATE_MS = 50;
/** Shorter than the default, so that the end of a run does not wait for the leases of a process that was killed. */
const POSTBACK_LEASE_MS = 20_000;
/** When a customer presses again: first soon, and then after the lease of a process that was killed. */
const PRESS_AGAIN_MS = [5_000, TIMEOUT_MS + 32_000] as const;
const PAY_EVERY_MS = 250;
/** How long orders, and then postbacks, may take at the end. */
const FINISH_MS = 150_000;

/** An order whose customer has no code yet. */
interface OpenOrder {
  presses: number;
  timer?: NodeJS.Timeout;
}

const settings = JSON.parse(process.argv[2] ?? "") as ShopSettings;
const { life, transport, service, rate, startedAt, retentionDays } = settings;
const file = openSync(settings.journal, "a");
const { store, close } = await openStore(settings.database, { retentionDays });
const signer = new PostbackUrlSigner({ keys: SIGNING_KEYS });
const shutdown = new AbortController(); // one for the whole life of a shop
setMaxListeners(0, shutdown.signal);
const payments = new PaymentsClient({
  ...service,
  timeout: TIMEOUT_MS,
  ...(transport === "nodeTransport" && { fetch: nodeTransport() }),
  idempotency: store,
  postbackUrl: "http://127.0.0.1/postbacks",
  postbackSigner: signer,
});

const open = new Map<string, OpenOrder>();
let calls = 0;
let isSelling = true;
let shown: [string, number][] = [];
let figures = newFigures();

function newFigures() {
  const outcomes: Record<string, number> = {};
  const times = { create: [] as number[], createInFaults: [] as number[], postbacks: [] as number[] };
  return { ...times, orders: 0, late: 0, outcomes };
}

/** One write for each line: it is kept if the process is killed. */
const note = (entry: string, ...fields: readonly (string | number)[]) =>
  writeSync(file, `${[entry, ...fields].join("\t")}\n`);

function count(outcome: string): void {
  figures.outcomes[outcome] = (figures.outcomes[outcome] ?? 0) + 1;
}

// Create calls

function sell(externalRef: string): void {
  note("began", externalRef);
  open.set(externalRef, { presses: 0 });
  void press(externalRef);
}

/** The customer presses the button: once at first, and again and again until there is a code. */
async function press(externalRef: string): Promise<void> {
  const order = open.get(externalRef) ?? { presses: 0 };
  order.presses += 1;
  const isLeft = fateOf(externalRef) !== "replaced";
  const replaceLost = order.presses > (isLeft ? 3 : 2);
  calls += 1;
  const metadata = { call: `${life}-${calls}` };
  if (replaceLost) note("replacing", externalRef, metadata.call);
  const beganAt = Date.now();
  const began = performance.now();
  const customer = Math.random() < ABORTED ? new AbortController() : undefined;
  const leaving = customer && setTimeout(() => customer.abort(), Math.random() * TIMEOUT_MS);
  const signal = customer?.signal ?? shutdown.signal;
  try {
    const creating = payments.transactions.createPix(
      { ...aPix(externalRef), metadata },
      { signal, replaceLost },
    );
    const { data, response } = await creating.withResponse();
    const times = isInFaults(startedAt, beganAt) ? figures.createInFaults : figures.create;
    if (!response.replayed)
      times.push(performance.now() - began - Number(response.headers.get("x-service-ms")));
    count(`${response.replayed ? "replayed" : "created"}: ${data.status}`);
    shown.push([externalRef, data.id]);
  } catch (error) {
    handleFailure(externalRef, order, error, metadata.call);
  } finally {
    clearTimeout(leaving);
  }
}

function handleFailure(externalRef: string, { presses }: OpenOrder, error: unknown, call: string): void {
  const { outcome, code, mayHaveCharged } = isPaymentsError(error)
    ? error
    : { outcome: "no outcome", code: String(error), mayHaveCharged: true };
  count(`${outcome}: ${code}`);
  if (!isPaymentsError(error)) note("wrong", externalRef, `${error}`);
  if (!mayHaveCharged) note("nobody charged", externalRef, Date.now(), call);
  if (outcome === "not_sent" || outcome === "rejected") note("not charged", externalRef, call);
  const wait = PRESS_AGAIN_MS[presses - 1] ?? PRESS_AGAIN_MS[1];
  open.set(externalRef, { presses, timer: setTimeout(press, wait, externalRef) });
}

/** The customers who were shown a code pay it. */
async function payShown(): Promise<void> {
  const paying = shown;
  shown = [];
  if (paying.length === 0) return;
  try {
    const body = JSON.stringify(paying);
    await (await fetch(`${service.baseUrl}/customers/pay`, { method: "POST", body })).text();
    for (const [externalRef] of paying) {
      note("done", externalRef);
      open.delete(externalRef);
    }
  } catch {
    shown.push(...paying); // the service was down
  }
}

/** Sells at the times that the rate sets, however long calls take. */
async function keepSelling(): Promise<void> {
  const start = performance.now();
  for (let orders = 0; isSelling; orders += 1) {
    const dueAt = start + (1000 * orders) / rate;
    const wait = dueAt - performance.now();
    if (wait > 1) await pause(wait);
    if (!isSelling) return;
    figures.orders += 1;
    if (performance.now() - dueAt > LATE_MS) figures.late += 1;
    sell(`${life}-${orders}`);
  }
}

// Postbacks

/** Fails sometimes. Nothing but the handler prevents a repetition. */
function ship({ externalRef = "" }: Postback): void {
  if (Math.random() < CALLBACK_FAILURES) throw new Error("The warehouse did not respond.");
  note("shipped", externalRef);
}

const handler = createPostbackHandler({
  ...{ signer, store, leaseMs: POSTBACK_LEASE_MS },
  onPaid: ship,
  onReview: ({ externalRef = "" }, { reason }) => void note("review", externalRef, reason),
  onEvent: (event) => count(`postback ${event.type}${event.type === "warning" ? ` ${event.reason}` : ""}`),
});

const receiver = await listen((request, response) => {
  const began = performance.now();
  response.once("close", () => figures.postbacks.push(performance.now() - began));
  void handler.node(request, response);
});

async function countOpenPostbacks(): Promise<number> {
  let open = 0;
  for await (const _ of store.openPostbacks()) open += 1;
  return open;
}

// Tasks

async function takeFigures(): Promise<ShopFigures> {
  const heap = await heapInUse();
  const taken = figures;
  figures = newFigures();
  // Each customer who will press again has a timer.
  const handles = process.getActiveResourcesInfo().filter((name) => name !== "Timeout").length;
  return { ...taken, heap, rss: process.memoryUsage.rss(), handles };
}

async function finishOrders() {
  isSelling = false;
  const end = Date.now() + FINISH_MS;
  while (open.size > 0 && Date.now() < end) await pause(100);
  return { openOrders: open.size };
}

async function closeAll() {
  isSelling = false;
  clearInterval(paying);
  for (const { timer } of open.values()) clearTimeout(timer);
  const closed = await Promise.all([payments.close(), handler.close()]);
  await payShown();
  await receiver.close();
  await close();
  return { unrecorded: closed.reduce((sum, { unrecorded }) => sum + unrecorded, 0) };
}

/** Afterwards the process has to end by itself. */
async function finishPostbacks() {
  const end = Date.now() + FINISH_MS;
  while ((await countOpenPostbacks()) > 0 && Date.now() < end) {
    await handler.retryFailed();
    await pause(200);
  }
  const openPostbacks = await countOpenPostbacks();
  const closed = await closeAll();
  process.removeAllListeners("disconnect");
  const listeners = getEventListeners(shutdown.signal, "abort").length;
  return { openPostbacks, listeners, ...closed };
}

const paying = setInterval(payShown, PAY_EVERY_MS);
process.once("SIGTERM", async () => {
  await closeAll();
  process.exit();
});
onTask(async (task: ShopTask) => {
  if (task === "figures") return takeFigures();
  if (task === "finish orders") return finishOrders();
  if (task === "finish postbacks") return finishPostbacks();
  handler.retryFailed().catch(() => undefined); // the database is down; deliveries take them over later
  for (const externalRef of settings.open) sell(externalRef);
  void keepSelling();
  return receiver.url;
});
