import { chance } from "../../test/system/support/chance.ts";
import type { Reply } from "./oracle.ts";

/** Random combinations of everything that can happen to a create call. One seed gives one list of scenarios. */

/** nodeTransport speaks only HTTP/1.1, and only there can a service send a response that no request is for. */
export type Protocol = "HTTP/1.1" | "HTTP/2";

/** Calls that share a transport, a store and a service. */
export type Scenario = ReturnType<typeof scenarioOf>;

/** One call of the SDK. */
export interface Attempt extends ReturnType<typeof orderOf>, ReturnType<typeof callOf> {
  /** Unique; it identifies the requests of this call to the oracle. */
  readonly name: string;
  /** Calls of one wave run at the same time, and waves one after the other. */
  readonly wave: number;
  readonly timeout: number;
  readonly abort?: ReturnType<typeof abortOf>;
  /** What the service does with the first request, and with any later one. */
  readonly replies: readonly [Reply, Reply];
}

/** The scenarios of a seed, until they have `calls` calls. */
export function scenariosOf(seed: number, calls: number, protocol: Protocol): readonly Scenario[] {
  const scenarios: Scenario[] = [];
  for (let count = 0; count < calls; ) {
    const scenario = scenarioOf(seed, scenarios.length, protocol);
    scenarios.push(scenario);
    count += scenario.attempts.length;
  }
  return scenarios;
}

function scenarioOf(seed: number, index: number, protocol: Protocol) {
  const chance = new Chance(seed, index);
  const isBurst = protocol === "HTTP/1.1" && chance.is(1 / 6); // calls in quick succession, and unsolicited responses
  const environment = { index, ...environmentOf(chance, isBurst, protocol) };
  const isUndisturbed = !isBurst && chance.is(1 / 2);
  const orders = [0, 1].map((order) => orderOf(chance, `order-${index}-${order}`));
  const isLate = chance.is(1 / 4);
  let wave = 0;
  const attempts = Array.from({ length: isBurst ? 8 : chance.between(1, 4) }, (_, number): Attempt => {
    if (number > 0 && chance.is(1 / 2)) wave += 1;
    // Without a store each call is a separate order: a response to one must not count as a response to another.
    const isNew = environment.store === "none";
    const order = isNew ? orderOf(chance, `order-${index}-${number}`) : chance.of(orders);
    const reply = isBurst
      ? burstReply(chance, isLate)
      : replyOf(chance, environment, isUndisturbed, order.method);
    const isAborted = !isUndisturbed && chance.is(isBurst ? 1 / 10 : 2 / 5);
    const abort = isAborted ? { abort: abortOf(chance) } : {};
    return {
      name: `${index}.${number}`,
      wave,
      ...order,
      ...abort,
      ...callOf(chance, order.amount),
      timeout: isShort(chance, environment, reply, abort.abort) ? chance.between(5, 50) : 10_000,
      replies: [reply, laterReply(chance, order.method)],
    };
  });
  return { ...environment, attempts };
}

function callOf(chance: Chance, amount: number) {
  return {
    amount: chance.is(1 / 30) ? amount + 1 : amount, // the same order with another amount
    wait: chance.is(1 / 6) ? 60 : 0,
    listener: chance.weighted({ none: 7, throws: 1, "throws another call's error": 1, rejects: 1 }),
  };
}

/** How often each is chosen. */
const TRANSPORTS = {
  fetch: 40,
  nodeTransport: 24,
  "wrapped global fetch": 12,
  "custom fetch": 8,
  "custom fetch that throws before sending": 6,
  "custom fetch that throws after the response": 6,
  "custom fetch that repeats": 6,
  "global fetch that repeats once": 4,
};
const TARGETS = {
  service: 92,
  "refused port": 3,
  "https on an http port": 2,
  "TLS without a response": 3,
};
const DISPATCHERS = { default: 70, factory: 8, subclass: 8, composed: 8, patched: 6 };
const STORE_FAULTS = {
  ...{ none: 7, slow: 1, "throws before claim": 1, "throws after claim": 1 },
  ...{ "throws before recordOutcome": 1, "throws after recordOutcome": 1 },
};

type Environment = ReturnType<typeof environmentOf>;

function environmentOf(chance: Chance, isBurst: boolean, protocol: Protocol) {
  const isHttp2 = protocol === "HTTP/2";
  const store = chance.weighted({ none: 50, memory: 42, sqlite: 8 });
  const transports = isBurst ? { nodeTransport: 4, fetch: 1 } : TRANSPORTS;
  const transport = chance.weighted<keyof typeof TRANSPORTS>(
    isHttp2 ? { ...TRANSPORTS, nodeTransport: 0 } : transports,
  );
  const targets = isHttp2 ? { ...TARGETS, "https on an http port": 0 } : TARGETS;
  const dispatchers = transport === "fetch" && !isBurst ? DISPATCHERS : { default: 1 };
  return {
    ...{ protocol, store, transport },
    target: chance.weighted<keyof typeof TARGETS>(isBurst ? { service: 1 } : targets),
    dispatcher: chance.weighted<keyof typeof DISPATCHERS>(dispatchers),
    /** `maxSockets` of nodeTransport. */
    sockets: chance.between(1, 3),
    /** Where a transport that repeats sends a request again. */
    repeatsAt: chance.weighted({ service: 1, "refused port": 2 }),
    storeFault: store === "none" ? "none" : chance.weighted(STORE_FAULTS),
    signer: chance.weighted({ none: 80, signs: 12, throws: 4, rejects: 4 }),
    /**
     * Whether the first failure of a wave aborts the other calls of the wave with its error. Node 26 writes empty DATA
     * frames forever if another socket's event aborts a call while its HTTP/2 session is opened.
     */
    isAbortShared: !isHttp2 && chance.is(1 / 5),
    /** Outcome of the other call's error that this scenario throws or aborts a signal with. */
    foreign: chance.weighted({ not_sent: 3, rejected: 3, created: 3, unknown: 1 }),
  };
}

function orderOf(chance: Chance, externalRef: string) {
  const amount = chance.between(100, 99_999);
  return { externalRef, amount, method: chance.weighted({ pix: 3, card: 1 }) };
}

function abortOf(chance: Chance) {
  const at = chance.weighted({ ms: 8, before: 2, request: 3, response: 3, warning: 1, drift: 1 });
  return {
    /** Before the call, after so many milliseconds, or at an event of the call. */
    at: at === "ms" ? chance.between(0, 12) : at,
    reason: chance.weighted({ none: 2, text: 1, Error: 1, DOMException: 1, "another call's error": 5 }),
    isComposed: chance.is(1 / 3),
  };
}

/** Whether a call has a short timeout: calls that nothing else ends, and some others. */
function isShort(chance: Chance, { target }: Environment, reply: Reply, abort: Attempt["abort"]): boolean {
  if (target === "TLS without a response") return true;
  if (reply.kind === "stall" || reply.kind === "late response") return typeof abort?.at !== "number";
  return reply.kind !== "response" && chance.is(1 / 5);
}

/** The normal reply of the service. */
export const CHARGED: Reply = {
  kind: "response",
  isCharged: true,
  status: 201,
  body: "transaction",
  followedBy: "nothing",
  delay: 0,
  errorCode: 0,
};

/** Statuses that mean, without a transaction in the body, that nothing was charged. */
const REFUSING = [301, 307, 308, 400, 401, 403, 404, 405, 411, 413, 415, 422, 429];

/** Statuses that do not show whether anything was charged. */
const AMBIGUOUS = [302, 303, 402, 406, 408, 409, 410, 412, 421, 423, 451, 500, 502, 503, 504, 520];

/** HTTP_1_1_REQUIRED. REFUSED_STREAM is 7. */
const LAST_ERROR_CODE = 13;

const BROKEN = [
  ...(["transaction, truncated", "another order's transaction, truncated"] as const),
  ...(["success: false with the transaction", "success: false", "no id", "html", "empty"] as const),
];

const WITHOUT_TRANSACTION = ["message", "html", "empty"] as const;
const WITH_TRANSACTION = [
  ...(["transaction", "transaction without externalId", "another order's transaction"] as const),
  "transaction without its code" as const, // of a pix
];

function replyOf(
  chance: Chance,
  environment: Environment,
  isUndisturbed: boolean,
  method: Attempt["method"],
): Reply {
  const delay = chance.between(0, 6);
  const errorCode = chance.between(0, LAST_ERROR_CODE);
  const mayRepeat = environment.dispatcher !== "default" || environment.transport.includes("repeats");
  if (mayRepeat && chance.is(2 / 3)) return brokenConnection(chance); // otherwise it has no reason to repeat
  if (!isUndisturbed && chance.is(1 / 2)) {
    const kind = chance.weighted({
      ...{ "late response": 2, stall: 3, "partial response": 3 },
      ...{ close: 2, reset: 5, "reset before reading": 2 },
    });
    const isCharged = kind !== "reset before reading" && chance.is(2 / 3);
    // An error status whose body would have shown the charge, if it had not been cut off.
    const status = chance.is(1 / 4) ? chance.of(isCharged ? REFUSING : [400]) : 201;
    const body = isCharged ? "transaction" : "message";
    return { ...CHARGED, kind, isCharged, status, body, delay, errorCode };
  }
  const response = { ...CHARGED, ...responseOf(chance, method), delay };
  return isUndisturbed ? response : { ...response, followedBy: chance.weighted({ nothing: 6, FIN: 1 }) };
}

function responseOf(chance: Chance, method: Attempt["method"]): Partial<Reply> {
  const kind = chance.weighted({
    ...{ normal: 35, unusual: 10, foreign: 10, broken: 12, refusing: 15, ambiguous: 8 },
    "error with a transaction": 20,
  });
  switch (kind) {
    case "normal":
      return { status: chance.is(1 / 10) ? 200 : 201 };
    case "unusual":
      return { body: chance.of(["transaction over another amount", "transaction without externalId"]) };
    case "foreign":
      return { body: "another order's transaction", isCharged: chance.is(1 / 2) };
    case "broken": {
      const body = chance.of(BROKEN);
      const hasTransaction =
        body === "transaction, truncated" || body === "success: false with the transaction";
      return { body, isCharged: hasTransaction || chance.is(1 / 2) };
    }
    case "refusing":
      return { status: chance.of(REFUSING), body: chance.of(WITHOUT_TRANSACTION), isCharged: false };
    case "ambiguous":
      return {
        status: chance.of(AMBIGUOUS),
        body: chance.of(WITHOUT_TRANSACTION),
        isCharged: chance.is(1 / 2),
      };
    case "error with a transaction": {
      const status = chance.of(chance.is(2 / 3) ? REFUSING : AMBIGUOUS);
      const body = chance.of(method === "pix" ? WITH_TRANSACTION : WITH_TRANSACTION.slice(0, 3));
      return { status, body, isCharged: body !== "another order's transaction" || chance.is(1 / 2) };
    }
  }
}

/**
 * An unsolicited response is sent before the next request, or names another order: no client can recognize any other.
 * After a late one, each response reaches the next call, so each of them must name its order.
 */
function burstReply(chance: Chance, isLate: boolean): Reply {
  const delay = chance.between(0, 2);
  const refused = { status: 422, body: "message", isCharged: false } as const;
  // A call that receives a late response must not leave its own, for example a refusal, to the next call.
  const unsolicited = isLate
    ? { "another order's transaction": 4 }
    : { "unnamed transaction": 4, refusal: 4 };
  const reply = { ...CHARGED, ...(chance.is(1 / 6) && refused), delay };
  return { ...reply, followedBy: chance.weighted({ nothing: 3, FIN: 1, ...unsolicited }) };
}

function brokenConnection(chance: Chance): Reply {
  const kind = chance.weighted({ reset: 3, close: 2 });
  const errorCode = chance.between(0, LAST_ERROR_CODE);
  return { ...CHARGED, kind, isCharged: chance.is(2 / 3), delay: chance.between(0, 6), errorCode };
}

/** A service that has charged an attempt does not refuse it afterwards. */
function laterReply(chance: Chance, method: Attempt["method"]): Reply {
  if (chance.is(1 / 4)) return brokenConnection(chance);
  const reply = { ...CHARGED, ...responseOf(chance, method) };
  return REFUSING.includes(reply.status) ? CHARGED : reply;
}

/** Random choices, the same for the same seed and index. */
class Chance {
  /** From 0 to 1, excluding 1. */
  readonly #next: () => number;

  constructor(seed: number, index: number) {
    let drawn = 0;
    this.#next = () => {
      drawn += 1;
      return chance(seed, index, drawn);
    };
  }

  is(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A whole number, including both ends. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.#next() * names.reduce((sum, name) => sum + (weights[name] ?? 0), 0);
    for (const name of names) {
      left -= weights[name] ?? 0;
      if (left < 0) return name;
    }
    return names[0] as Name;
  }
}
