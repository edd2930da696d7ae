// The process of a shop that ships what postbacks report as paid, and is killed at a given moment.
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { listen } from "../../examples/support/receiver.ts";
import { chance, SIGNING_KEYS } from "../../test/system/support/chance.ts";
import { openStore } from "./databases.ts";
import { die, dieDuring, print } from "./die.ts";
import type { ShopSettings } from "./plan.ts";

/** Short, so that the run does not wait for the leases of dead processes; longer than a busy machine stalls a process. */
const LEASE_MS = 3_000;
const MAX_WORK_MS = 20;

const { seed, life, database, journal, moment, nth } = JSON.parse(process.argv[2] ?? "") as ShopSettings;
let runs = 0;
let running = 0;

/** One write for each line: it is kept if the process is killed, and lines of two processes do not mix. */
const note = (entry: "began" | "shipped" | "recorded" | "review", order: string) =>
  appendFileSync(journal, `${life}\t${entry}\t${order}\n`);

const isTimeFor = (now: ShopSettings["moment"]) => now === moment && runs >= nth;

/** Fails half of the time. That goods were shipped is known to the journal only, so it does not prevent a repetition. */
async function ship({ externalRef = "" }: Postback): Promise<void> {
  runs += 1;
  running += 1;
  const run = runs;
  note("began", externalRef);
  if (isTimeFor("as the callback begins")) die("as the callback begins");
  try {
    await setTimeout(MAX_WORK_MS * chance(seed, "work", life, run));
    if (chance(seed, "fails", life, run) < 1 / 2) throw new Error("half of the time");
    if (isTimeFor("before shipping")) die("before shipping");
    note("shipped", externalRef);
    if (isTimeFor("after shipping")) die("after shipping");
  } finally {
    running -= 1;
  }
}

function killingStore(store: PaymentsStore): PaymentsStore {
  return {
    ...store,
    claimPostback: (...args) => {
      const work = () => store.claimPostback(...args);
      return isTimeFor("during the claim") ? dieDuring("during the claim", work) : work();
    },
    async confirmPostback(...args) {
      const work = () => store.confirmPostback(...args);
      if (isTimeFor("during the record")) return dieDuring("during the record", work);
      const isRecorded = await work();
      note("recorded", args[0].externalRef);
      return isRecorded;
    },
  };
}

const { store } = await openStore(database);
const signer = new PostbackUrlSigner({ keys: SIGNING_KEYS });
const handler = createPostbackHandler({
  ...{ signer, store: killingStore(store), leaseMs: LEASE_MS },
  onPaid: ship,
  onReview: ({ externalRef = "" }, { reason }) => note("review", `${externalRef} ${reason}`),
});

/** Retries until every postback is handled, by this process or by another one. */
process.once("SIGTERM", async () => {
  while (await hasOpen()) {
    await handler.retryFailed();
    await setTimeout(50);
  }
  process.exit(0);
});

async function hasOpen(): Promise<boolean> {
  for await (const _ of store.openPostbacks()) return true;
  return false;
}

process.stdin.resume().once("end", () => process.exit(1)); // the run was stopped
if (moment === "while idle") setInterval(() => isTimeFor(moment) && running === 0 && die(moment), 20);
const { url } = await listen(handler.node);
print(url);
await handler.retryFailed();
