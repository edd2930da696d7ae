import {
  isPaymentsError,
  type PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
} from "payments-sdk";
import { aCard, aCardPayment, aPix, merchantAt } from "./merchant.ts";

/** A client whose `fetch` creates each response in memory, so that thousands of calls take seconds. */

export interface Script {
  /** Creates the next response. */
  respond: () => Response;
  /** Bodies sent since the list was last emptied. */
  readonly sent: string[];
  readonly payments: PaymentsClient;
}

export function scriptedClient(options: PaymentsClientOptions = {}): Script {
  const sent: string[] = [];
  const { payments } = merchantAt("https://pay.example", {
    maxRetries: 0,
    // Every event is created and serialised, so that their content is tested, too.
    onEvent: (event) => JSON.stringify(event),
    fetch: async (_url, init) => {
      sent.push(String(init.body));
      return script.respond();
    },
    ...options,
  });
  const script: Script = { respond: () => new Response(), sent, payments };
  return script;
}

export type Call = (payments: PaymentsClient, options?: never) => PromiseLike<unknown>;

/** A call of each endpoint, and of both payment methods. */
export const CALLS: Readonly<Record<string, Call>> = {
  createPix: (to, options) => to.transactions.createPix(aPix(), options),
  createCard: (to, options) => to.transactions.createCard(aCardPayment(), options),
  cardToken: (to, options) => to.cardTokens.create(aCard(), options),
  company: (to, options) => to.company.retrieve(options),
  status: (to, options) => to.status.retrieve(options),
  sellers: (to, options) => to.sellers.list(options),
  revenue: (to, options) => to.sellers.revenue(options),
};

export type CallResult = { readonly result: unknown } | { readonly error: PaymentsError };

/** A result or a `PaymentsError`; any other error fails the test. */
export async function resultOf(call: () => PromiseLike<unknown>): Promise<CallResult> {
  try {
    return { result: await call() };
  } catch (error) {
    if (isPaymentsError(error)) return { error };
    throw error;
  }
}

/** A path into an object, and the new value there. */
export interface Mutation {
  readonly path: readonly string[];
  /** `undefined` removes the field. */
  readonly value: unknown;
}

/** Every path into an object, its arrays included. */
export function pathsOf(value: unknown, parentPath: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [
    [...parentPath, key],
    ...pathsOf(entry, [...parentPath, key]),
  ]);
}

/** A copy with some of its fields replaced. */
export function mutate<Value>(value: Value, mutations: readonly Mutation[]): Value {
  const copy = structuredClone(value);
  for (const { path, value: replacement } of mutations) {
    let parent: unknown = copy;
    for (const step of path.slice(0, -1)) parent = isContainer(parent) ? parent[step] : undefined;
    const last = path.at(-1);
    if (last === undefined || !isContainer(parent)) continue;
    if (replacement === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = replacement;
  }
  return copy;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
