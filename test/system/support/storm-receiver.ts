// A merchant's process that handles postbacks and records each run of `onPostback` in a file.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { chance, SIGNING_KEYS } from "./chance.ts";

/** The one argument of this process, as JSON. */
export interface ReceiverSettings {
  readonly seed: number;
  /** Distinguishes the processes of one storm. */
  readonly number: number;
  readonly database: string;
  readonly journal: string;
  readonly leaseMs: number;
  /** The number of successes after which it kills itself, before it records the last one. */
  readonly diesAfter?: number;
}

const MAX_WORK_MS = 20;

const { seed, number, database, journal, leaseMs, diesAfter } = JSON.parse(
  process.argv[2] ?? "",
) as ReceiverSettings;
const runs = new Map<string, number>();
let successes = 0;

/** One write for each line: it is kept if the process is killed, and lines of two processes do not mix. */
const record = (entry: "began" | "threw" | "succeeded", change: string) =>
  appendFileSync(journal, `${number}\t${entry}\t${change}\n`);

async function onPostback({ id, rawStatus }: Postback): Promise<void> {
  const change = `${id} ${rawStatus}`;
  const run = (runs.get(change) ?? 0) + 1;
  runs.set(change, run);
  record("began", change);
  await setTimeout(MAX_WORK_MS * chance(seed, "work", number, change, run));
  if (chance(seed, "throw", number, change, run) < 1 / 5) {
    record("threw", change);
    throw new Error("one in five");
  }
  record("succeeded", change);
  successes += 1;
  if (successes === diesAfter) process.kill(process.pid, "SIGKILL");
}

const store = sqliteStore(database);
const handler = createPostbackHandler({
  onPostback,
  signer: new PostbackUrlSigner({ keys: SIGNING_KEYS }),
  store,
  leaseMs,
  onEvent(event) {
    // The response is 200, so nothing else reports it.
    if (event.type === "store_failed") console.error(event.status, event.error);
  },
});

const server = createServer(handler.node);
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
