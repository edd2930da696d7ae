import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Connect, Create } from "./contender.ts";
import type { Effort } from "./measurement.ts";
import type { Kind } from "./orders.ts";

/** Somebody who can create an order. */
export interface Contender {
  readonly name: string;
  /** Below bench/, without its ending. */
  readonly file: string;
  /** What must be there for it to take part; nothing but Node where it is missing. */
  readonly needs?: string;
}

/** What the others are compared with. */
export const BASELINE = "fetch";
export const OURS = "payments-sdk";
export const OURS_ON_NODE = "payments-sdk over nodeTransport";
export const STRIPE = "stripe";

const ALL: readonly Contender[] = [
  { name: BASELINE, file: "contenders/fetch" },
  { name: "node:http", file: "contenders/node-http" },
  { name: "undici.request", file: "peers/undici", needs: "undici" },
  { name: "ky", file: "contenders/ky", needs: "ky" },
  { name: "ky with retry: 0", file: "contenders/ky-without-retry", needs: "ky" },
  { name: OURS, file: "contenders/payments-sdk", needs: "payments-sdk" },
  { name: "payments-sdk with onEvent", file: "contenders/payments-sdk-events", needs: "payments-sdk" },
  { name: OURS_ON_NODE, file: "contenders/payments-sdk-node", needs: "payments-sdk/node" },
  { name: STRIPE, file: "peers/stripe", needs: "stripe" },
  { name: "stripe over fetch", file: "peers/stripe-over-fetch", needs: "stripe" },
  { name: "openai", file: "peers/openai", needs: "openai" },
  { name: "anthropic", file: "peers/anthropic", needs: "@anthropic-ai/sdk" },
  { name: "mercadopago", file: "peers/mercadopago", needs: "mercadopago" },
  { name: "paddle", file: "peers/paddle", needs: "@paddle/paddle-node-sdk" },
  { name: "square", file: "peers/square", needs: "square" },
  { name: "adyen over fetch", file: "peers/adyen-over-fetch", needs: "@adyen/api-library" },
];

const BENCH = join(import.meta.dirname, "..");
const PEERS = join(BENCH, "peers", "node_modules");

export const ALL_CONTENDERS = ALL.map(({ name }) => name);

/** Those of the contenders whose packages are there; without the peers where there is little patience. */
export function contendersHere(only?: readonly string[], effort: Effort = "full"): readonly Contender[] {
  const welcome = ({ name, file }: Contender) =>
    only?.includes(name) ?? (effort === "full" || !file.startsWith("peers/"));
  return ALL.filter((contender) => isHere(contender) && welcome(contender));
}

/** The names of those whose packages are missing. */
export function missingContenders(): readonly string[] {
  return ALL.filter((contender) => !isHere(contender)).map(({ name }) => name);
}

function isHere({ file, needs }: Contender): boolean {
  if (needs === undefined) return true;
  if (file.startsWith("peers/")) return existsSync(join(PEERS, needs));
  try {
    import.meta.resolve(needs);
    return true;
  } catch {
    return false; // an entry that is not built yet
  }
}

/** Who creates, and where. */
export interface Connection {
  readonly file: string;
  readonly baseUrl: string;
}

/** Who creates what, and where. */
export interface Target extends Connection {
  readonly kind: Kind;
}

/** Loads a contender, and nothing of the others. */
export async function connectTo({ file, baseUrl }: Connection): Promise<Create> {
  const { connect }: { connect: Connect } = await import(join(BENCH, `${file}.ts`));
  return connect(baseUrl);
}
