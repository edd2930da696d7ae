// A merchant of a soak, in a process of its own: many creates at a time, whatever the service does.
import { getEventListeners, setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { PaymentsClient } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { Control } from "./control.ts";
import { Ledger } from "./ledger.ts";
import { type Findings, type MerchantOrders, PHASES } from "./plan.ts";
import { randomFrom } from "./random.ts";
import { transportOf } from "./transport.ts";

/** Milliseconds between two tries, as those who try again should wait. */
const PAUSE_MS = 20;
const TRIES = 3;
const WARM_UP_WITHIN_MS = 120_000;
/** Which share of the calls is aborted by its caller. */
const ABORTED = 0.05;

const orderedBy = process.argv[2] ?? "";
const { baseUrl, controlUrl, transport, store: withStore, plan } = JSON.parse(orderedBy) as MerchantOrders;
const random = randomFrom(2);
const control = new Control(controlUrl);
const ledger = new Ledger();
const shop = new AbortController(); // as a server has one for its whole life
setMaxListeners(0, shop.signal);
const store = withStore ? memoryStore({ maxOrders: plan.ordersKept }) : undefined;
const payments = new PaymentsClient({
  baseUrl,
  secretKey: "sk_test_soak",
  publicKey: "pk_test_soak",
  timeout: plan.timeout,
  idempotency: store,
  fetch: await transportOf(transport),
});

process.on("disconnect", abandon);

const before = await resources();
const heaps: number[] = [];
let orders = 0;
await allEnded(
  workers(() => orders < plan.warmUp),
  WARM_UP_WITHIN_MS,
);
for (let cycle = 0; cycle < plan.cycles; cycle += 1) {
  let isOpen = true;
  const working = workers(() => isOpen);
  for (const phase of PHASES) {
    await control.enter(phase);
    await pause(plan.phases[phase]);
  }
  isOpen = false;
  await control.enter("healthy");
  await allEnded(working, 40 * plan.timeout);
  await ledger.audit(control);
  if (store !== undefined) await settle(store);
  heaps.push(await heapInUse());
}
const socketsLeft = await socketsAtLast();
const resourcesLeft = without(await resources(), before);
const { charges, twice } = await control.counts();
const findings: Findings = {
  calls: ledger.calls,
  notEnded: ledger.calls - ledger.ended,
  endedOtherwise: ledger.endedOtherwise,
  outcomes: ledger.outcomes,
  chargedUnknown: ledger.chargedUnknown,
  inventedResults: ledger.inventedResults,
  heaps,
  resourcesLeft,
  listenersLeft: getEventListeners(shop.signal, "abort").length,
  socketsLeft,
  chargedTwice: twice,
  charges,
};
process.off("disconnect", abandon);
process.send?.(findings, () => process.disconnect());

/** Nobody is left who wants to know. */
function abandon(): void {
  process.exit(1);
}

function workers(isOpen: () => boolean): Promise<void>[] {
  return Array.from({ length: plan.atATime }, () => work(isOpen));
}

/** Waits for them, but not for ever. */
async function allEnded(working: readonly Promise<void>[], withinMs: number): Promise<void> {
  const patience = new AbortController();
  const tooLong = pause(withinMs, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([Promise.all(working), tooLong]);
  patience.abort();
}

async function work(isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    orders += 1;
    const externalRef = `order-${orders}`;
    ledger.begin(externalRef);
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const outcome = await create(externalRef);
      // What charged nobody may be sent again; with a store anything may, and is not.
      const again = outcome === "not_sent" || outcome === "rejected" || (withStore && outcome === "unknown");
      if (!again) break;
      await pause(PAUSE_MS * (0.5 + random()));
    }
  }
}

async function create(externalRef: string): Promise<string> {
  ledger.calls += 1;
  const impatient = random() < ABORTED ? new AbortController() : undefined;
  const timer = impatient && setTimeout(() => impatient.abort(), random() * plan.timeout);
  try {
    const { data, response } = await payments.transactions
      .createCard(cardPayment(externalRef), { signal: impatient?.signal ?? shop.signal })
      .withResponse();
    ledger.result(externalRef, data, response.replayed);
    return "created";
  } catch (error) {
    return ledger.failure(externalRef, error);
  } finally {
    clearTimeout(timer);
  }
}

/** What a person does who looks into the service's own books. */
async function settle(kept: PaymentsStore): Promise<void> {
  const unresolved: string[] = [];
  for await (const { externalRef } of kept.unresolved()) unresolved.push(externalRef);
  const ids = await control.idsOf(unresolved);
  for (const externalRef of unresolved) {
    const transactionId = ids.get(externalRef);
    await kept.resolve(
      externalRef,
      transactionId === undefined ? { charged: false } : { transactionId, status: "approved" },
    );
  }
}

async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await pause(5); // for what is cleaned up after a collection
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Waits until unused connections are closed, a little longer than they may be kept. */
async function socketsAtLast(): Promise<number> {
  for (let waited = 0; waited < 12_000; waited += 100) {
    const { open } = await control.counts();
    if (open === 0) return 0;
    await pause(100);
  }
  return (await control.counts()).open;
}

async function resources(): Promise<string[]> {
  await control.counts(); // so that what asking needs is the same each time
  await pause(50);
  return process.getActiveResourcesInfo();
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const rest = [...names];
  for (const other of others) {
    const at = rest.indexOf(other);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

function cardPayment(externalRef: string) {
  return {
    amount: 1990,
    customer: {
      name: "Maria Exemplo",
      email: "maria@loja.example",
      phone: "11999990000",
      document: { type: "cpf" as const, number: "52998224725" },
    },
    externalRef,
    postbackUrl: "https://loja.example/postbacks",
    traceable: true,
    items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }],
    ip: "203.0.113.7",
    metadata: { cart: 7 },
    installments: 1,
    card: { hash: "tok_a1b2c3d4e5" },
  };
}
