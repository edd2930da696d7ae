// A merchant's process that handles postbacks, and notes each run of `onPostback` in a file.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type Postback, PostbackUrlSigner } from "payments-sdk/postbacks";
import { chance, SIGNING_KEYS } from "../support/chance.ts";

/** The one argument of this process, as JSON. */
export interface ReceiverSettings {
  readonly seed: number;
  /** Distinguishes the processes of one storm. */
  readonly number: number;
  readonly database: string;
  readonly journal: string;
  readonly leaseMs: number;
  /** After so many successes it kills itself, between a success and the record of it. */
  readonly diesAfter?: number;
}

const WORK_AT_MOST_MS = 20;

const { seed, number, database, journal, leaseMs, diesAfter } = JSON.parse(
  process.argv[2] ?? "",
) as ReceiverSettings;
const runs = new Map<string, number>();
let successes = 0;

/** One line in one write: it stays when the process is killed, and lines of two processes do not mix. */
const note = (entry: "began" | "threw" | "succeeded", change: string) =>
  appendFileSync(journal, `${number}\t${entry}\t${change}\n`);

async function onPostback({ id, rawStatus }: Postback): Promise<void> {
  const change = `${id} ${rawStatus}`;
  const run = (runs.get(change) ?? 0) + 1;
  runs.set(change, run);
  note("began", change);
  await setTimeout(WORK_AT_MOST_MS * chance(seed, "work", number, change, run));
  if (chance(seed, "throw", number, change, run) < 1 / 5) {
    note("threw", change);
    throw new Error("one in five");
  }
  note("succeeded", change);
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
    // With a 200, nobody else would hear of it.
    if (event.type === "store_failed") console.error(event.status, event.error);
  },
});

let isStopping = false;
const server = createServer((request, response) => {
  // A connection that is kept alive would keep the process alive.
  response.once("close", () => isStopping && server.closeIdleConnections());
  return handler.node(request, response);
});

server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

process.once("SIGTERM", () => {
  isStopping = true;
  server.close(() => store.close());
});
