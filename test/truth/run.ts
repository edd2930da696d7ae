import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  isPaymentsError,
  PaymentsClient,
  type PaymentsError,
  type PaymentsEvent,
  type Transaction,
  type WithResponse,
} from "payments-sdk";
import { memoryStore, sqliteStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { freePort } from "../support/free-port.ts";
import { aCardPayment, aPix, PUBLIC_KEY, SECRET_KEY } from "../support/merchant.ts";
import { ATTEMPT_HEADER, Ledger, type Oracle, startOracle } from "./oracle.ts";
import { describeViolation, type Ending, Judge, type Violation } from "./rules.ts";
import { type Attempt, CHARGED, type ForeignKind, type Scenario, scenariosOf } from "./scenarios.ts";
import { replaceDispatcher, transportOf } from "./transports.ts";

/** Runs scenarios against the oracle, and judges every call. */

const LANES = 8;

export interface Truth {
  readonly seed: number;
  readonly calls: number;
  readonly seconds: number;
  /** How often calls ended as a result or with each outcome, to see that all were met. */
  readonly endings: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
  /** One text for each violation, and for each error that no call caught. */
  readonly reports: readonly string[];
}

export interface TruthOptions {
  readonly seed: number;
  readonly calls: number;
  /** Runs the scenario of this index alone. */
  readonly only?: number | undefined;
}

export async function findTruth({ seed, calls, only }: TruthOptions): Promise<Truth> {
  const start = performance.now();
  const scenarios = scenariosOf(seed, calls).filter(({ index }) => only === undefined || index === only);
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  const world = await World.create();
  process.on("uncaughtException", note).on("unhandledRejection", note);
  try {
    for (const group of groupsOf(scenarios)) await world.runGroup(group);
  } finally {
    await world.close();
    await sleep(20); // what was thrown last is reported after the run
    process.off("uncaughtException", note).off("unhandledRejection", note);
  }
  const { ledger } = world;
  const violations = scenarios.flatMap((scenario) => world.judge(scenario));
  const reports = violations.map((violation) => describeViolation(seed, ledger, violation));
  for (const error of uncaught)
    reports.push(`not caught, seed ${seed}: ${error instanceof Error ? error.stack : error}`);
  for (const name of ledger.malformed) reports.push(`seed ${seed}: the body of ${name} is not an order`);
  const endings = world.count();
  const count = Object.values(endings).reduce((sum, number) => sum + number, 0);
  return { seed, calls: count, seconds: (performance.now() - start) / 1000, endings, violations, reports };
}

/** Scenarios that may run side by side: one group for all that leave the process as it is. */
function groupsOf(scenarios: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>();
  for (const scenario of scenarios) {
    const { dispatcher, transport, index } = scenario;
    const isAlone = transport === "global fetch that repeats once";
    const name = isAlone ? `alone ${index}` : dispatcher;
    groups.set(name, [...(groups.get(name) ?? []), scenario]);
  }
  return [...groups.values()];
}

type Store = ReturnType<typeof memoryStore>;

class World {
  readonly ledger = new Ledger();
  readonly #judge = new Judge(this.ledger);
  readonly #endings = new Map<Scenario, Ending[]>();
  readonly #elsewhere = new Map<string, string>();
  // In memory if the machine has such a folder: what survives a power cut is not asked here.
  readonly #folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "payments-truth-"));
  readonly #sqlite = sqliteStore(join(this.#folder, "orders.db"));
  readonly #foreign = new Map<ForeignKind, PaymentsError>();
  readonly #silentSockets = new Set<Socket>();
  readonly #silent = createServer((socket) => {
    this.#silentSockets.add(socket.on("error", () => undefined));
  });
  #refusedPort = 0;

  static async create(): Promise<World> {
    const world = new World();
    world.#refusedPort = await freePort();
    await new Promise<void>((resolve) => world.#silent.listen(0, "127.0.0.1", resolve));
    await world.#makeForeignErrors();
    return world;
  }

  async close(): Promise<void> {
    for (const socket of this.#silentSockets) socket.destroy();
    this.#silent.close();
    this.#sqlite.close();
    rmSync(this.#folder, { recursive: true });
  }

  judge(scenario: Scenario): Violation[] {
    return this.#judge.judge(scenario, this.#endings.get(scenario) ?? []);
  }

  count(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { result, error } of [...this.#endings.values()].flat()) {
      const name = result ? "result" : isPaymentsError(error) ? error.outcome : "not a PaymentsError";
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  async runGroup(group: readonly Scenario[]): Promise<void> {
    const kind = group[0]?.dispatcher ?? "default";
    const elsewhereOf = (attempt: string) => this.#elsewhere.get(attempt) ?? "http://127.0.0.1:1";
    const restore = kind === "default" ? () => undefined : await replaceDispatcher(kind, elsewhereOf);
    const waiting = [...group];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#runScenario(next);
    };
    try {
      await Promise.all(Array.from({ length: LANES }, lane));
    } finally {
      restore();
    }
  }

  async #runScenario(scenario: Scenario): Promise<void> {
    const oracle = await startOracle(this.ledger);
    const refused = `http://127.0.0.1:${this.#refusedPort}`;
    const service = `http://127.0.0.1:${oracle.port}`;
    const elsewhere = scenario.repeatsAt === "service" ? service : refused;
    const transport = transportOf(scenario, elsewhere, this.#foreignOf(scenario));
    const store = this.#storeOf(scenario);
    const faulty = store && withFault(store, scenario, this.#foreignOf(scenario));
    const baseUrl = {
      service,
      "refused port": refused,
      "https on an http port": `https://127.0.0.1:${oracle.port}`,
      "TLS that never answers": `https://127.0.0.1:${(this.#silent.address() as AddressInfo).port}`,
    }[scenario.target];
    const endings: Ending[] = [];
    this.#endings.set(scenario, endings);
    try {
      for (const wave of new Set(scenario.attempts.map((attempt) => attempt.wave))) {
        const shared = new AbortController();
        const together = scenario.attempts.filter((attempt) => attempt.wave === wave);
        const calls = together.map(async (attempt) => {
          this.#elsewhere.set(attempt.name, elsewhere);
          const setting = { baseUrl, fetch: transport.fetch, store: faulty, shared };
          const ending = await this.#call(scenario, attempt, setting);
          endings.push(ending);
          if (scenario.isAbortShared && ending.result === undefined) shared.abort(ending.error);
        });
        await Promise.all(calls);
      }
    } finally {
      transport.close();
    }
    if (store !== undefined) await this.#repeatAll(scenario, store, service, endings);
    await oracle.close();
  }

  /** Every order once more, with nothing in the way: what the store remembers decides whether it is charged again. */
  async #repeatAll(scenario: Scenario, store: Store, baseUrl: string, endings: Ending[]): Promise<void> {
    const orders = new Map(scenario.attempts.map((attempt) => [attempt.externalRef, attempt]));
    const calm = { ...scenario, signer: "none", isAbortShared: false } as const;
    for (const last of orders.values()) {
      const { abort: _, ...order } = last;
      const replies = [CHARGED, CHARGED] as const;
      const again = {
        name: `${last.name} again`,
        wave: 99,
        timeout: 10_000,
        listener: "none",
        replies,
      } as const;
      const setting = { baseUrl, fetch: undefined, store, shared: new AbortController() };
      endings.push(await this.#call(calm, { ...order, ...again }, setting));
    }
  }

  async #call(
    scenario: Scenario,
    attempt: Attempt,
    setting: {
      readonly baseUrl: string;
      readonly fetch: ReturnType<typeof transportOf>["fetch"];
      readonly store: Store | undefined;
      readonly shared: AbortController;
    },
  ): Promise<Ending> {
    const foreign = this.#foreignOf(scenario);
    const { abort } = attempt;
    const controller = new AbortController();
    const abortNow = () => controller.abort(reasonOf(abort?.reason, foreign));
    if (abort?.at === "before") abortNow();
    const timer = typeof abort?.at === "number" ? setTimeout(abortNow, abort.at) : undefined;
    const reported: unknown[] = [];
    const onEvent = (event: PaymentsEvent) => {
      if (event.type === "error") reported.push(event.error);
      if (event.type === abort?.at) abortNow();
      if (attempt.listener === "throws") throw new Error("The listener failed.");
      if (attempt.listener === "throws another call's error") throw foreign;
      return attempt.listener === "rejects" ? Promise.reject(foreign) : undefined;
    };
    const isComposed = scenario.isAbortShared || abort?.isComposed === true;
    const { signal: own } = controller;
    const signal = isComposed ? AbortSignal.any([own, setting.shared.signal]) : own;
    this.ledger.replies.set(attempt.name, attempt.replies);
    const client = new PaymentsClient({
      baseUrl: setting.baseUrl,
      secretKey: SECRET_KEY,
      publicKey: PUBLIC_KEY,
      fetch: setting.fetch,
      idempotency: setting.store,
      onEvent,
      ...signerOf(scenario, foreign),
    });
    const { externalRef, amount, timeout, wait } = attempt;
    const params =
      attempt.method === "pix" ? aPix({ externalRef, amount }) : aCardPayment({ externalRef, amount });
    const headers = { [ATTEMPT_HEADER]: attempt.name };
    const options = {
      timeout,
      headers,
      ...(setting.store && { wait }),
      ...((abort || isComposed) && { signal }),
    };
    const end = { attempt, reported };
    try {
      const { data, response } = await settled(createOf(client, params, options), attempt.timeout + 5_000);
      const result = { id: data.id, isReplayed: response.replayed };
      return { ...end, result, isAborted: signal.aborted };
    } catch (error) {
      return { ...end, error, isAborted: signal.aborted };
    } finally {
      clearTimeout(timer);
    }
  }

  #foreignOf({ foreign }: Scenario): PaymentsError {
    const error = this.#foreign.get(foreign);
    if (error === undefined) throw new Error(`There is no other call that ended ${foreign}.`);
    return error;
  }

  #storeOf({ store }: Scenario): Store | undefined {
    if (store === "none") return undefined;
    return store === "memory" ? memoryStore() : this.#sqlite;
  }

  /** Calls that belong to no scenario, and fail in each way: their errors are what merchants pass around. */
  async #makeForeignErrors(): Promise<void> {
    const oracle: Oracle = await startOracle(this.ledger);
    const service = `http://127.0.0.1:${oracle.port}`;
    const refused = { ...CHARGED, status: 400, body: "message", isCharged: false } as const;
    const replies = {
      rejected: refused,
      not_sent: refused,
      unknown: { ...CHARGED, kind: "reset" },
      created: { ...CHARGED, body: "transaction without its code" },
    } as const;
    for (const [kind, reply] of Object.entries(replies)) {
      const name = `foreign ${kind}`;
      this.ledger.replies.set(name, [reply, reply]);
      const baseUrl = kind === "not_sent" ? `http://127.0.0.1:${this.#refusedPort}` : service;
      const fetch = nodeTransport(); // it proves what was not sent
      const client = new PaymentsClient({ baseUrl, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, fetch });
      const order = aPix({ externalRef: name });
      const error = await client.transactions.createPix(order, { headers: { [ATTEMPT_HEADER]: name } }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!isPaymentsError(error) || error.outcome !== kind) {
        throw new Error(`A call that had to end ${kind} ended otherwise.`, { cause: error });
      }
      this.#judge.own(error);
      this.#foreign.set(kind as ForeignKind, error);
    }
    await oracle.close();
  }
}

function createOf(
  client: PaymentsClient,
  params: ReturnType<typeof aPix> | ReturnType<typeof aCardPayment>,
  options: object,
): Promise<WithResponse<Transaction>> {
  return "card" in params
    ? client.transactions.createCard(params, options).withResponse()
    : client.transactions.createPix(params as ReturnType<typeof aPix>, options).withResponse();
}

/** Fails if a call never ends: then it is not a PaymentsError that the caller gets, which breaks a rule. */
async function settled<Value>(call: PromiseLike<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the call did not end within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(reason: NonNullable<Attempt["abort"]>["reason"] | undefined, foreign: Error): unknown {
  switch (reason) {
    case "text":
      return "the customer left";
    case "Error":
      return new Error("the customer left");
    case "DOMException":
      return new DOMException("the customer left", "TimeoutError");
    case "another call's error":
      return foreign;
    default:
      return undefined;
  }
}

const SIGNER = new PostbackUrlSigner({
  keys: [{ kid: "1", secret: "for this test only, and for nobody else" }],
});

function signerOf({ signer }: Scenario, foreign: Error): object {
  if (signer === "none") return {};
  const sign = {
    signs: SIGNER.sign.bind(SIGNER),
    throws: () => {
      throw foreign;
    },
    rejects: () => Promise.reject(foreign),
  }[signer];
  return { postbackUrl: "https://loja.example/postbacks", postbackSigner: { sign } };
}

/** The store, slow, or failing with another call's error before or after it did its work. */
function withFault(store: Store, { storeFault }: Scenario, foreign: Error): Store {
  if (storeFault === "none") return store;
  const fail = (operation: "claim" | "end", time: "before" | "after") => {
    if (storeFault === `throws ${time} ${operation}`) throw foreign;
  };
  const pause = () => (storeFault === "slow" ? sleep(8) : undefined);
  return {
    ...store,
    claim: async (...order) => {
      await pause();
      fail("claim", "before");
      const claim = await store.claim(...order);
      fail("claim", "after");
      return claim;
    },
    end: async (...order) => {
      await pause();
      fail("end", "before");
      const others = await store.end(...order);
      fail("end", "after");
      return others;
    },
  };
}
