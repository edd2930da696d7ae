// In a fresh process: how many bytes of V8's heap a create call allocates. The median of batches, because the compiler
// puts code into the same heap now and then; a batch in which something was collected is left out.
import { GCProfiler } from "node:v8";
import { PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { aCardPayment } from "../../support/merchant.ts";

const WARM_UP_CALLS = 3_000;
const BATCHES = 5;
const CALLS = 100;

const [transport = "", baseUrl = ""] = process.argv.slice(2);
const fetch = transport === "nodeTransport" ? nodeTransport() : undefined;
const keys = { secretKey: "sk_test_counts", publicKey: "pk_test_counts" };
const payments = new PaymentsClient({ ...keys, baseUrl, fetch });

const allocated: number[] = [];
await makeCalls(WARM_UP_CALLS);
for (let batch = 0; batch < BATCHES; batch += 1) {
  if (!globalThis.gc) throw new Error("Needs --expose-gc.");
  globalThis.gc();
  const collections = new GCProfiler();
  collections.start();
  const before = process.memoryUsage().heapUsed;
  await makeCalls(CALLS);
  const after = process.memoryUsage().heapUsed;
  if (collections.stop()?.statistics.length === 0) allocated.push((after - before) / CALLS);
}
if (allocated.length <= BATCHES / 2) throw new Error("Most batches were collected: they are too large.");
allocated.sort((one, other) => one - other);
console.log(Math.round(allocated[Math.floor(allocated.length / 2)] ?? Number.NaN));
process.exit(); // not before the sockets have rested long enough to end

async function makeCalls(calls: number): Promise<void> {
  for (let call = 0; call < calls; call += 1) await payments.transactions.createCard(aCardPayment());
}
