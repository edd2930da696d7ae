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
import { startHttp2Oracle } from "./http2-oracle.ts";
import { ATTEMPT_HEADER, Ledger, type Oracle, startOracle } from "./oracle.ts";
import { describeViolation, type Ending, Judge, type Violation } from "./rules.ts";
import {
  type Attempt,
  CHARGED,
  type ForeignKind,
  type Protocol,
  type Scenario,
  scenariosOf,
} from "./scenarios.ts";
import { replaceDispatcher, transportOf, wrapFetch } from "./transports.ts";

/** Runs scenarios against the oracle, and checks every call. */

const SCENARIOS_AT_ONCE = 8;

export interface RunReport {
  readonly seed: number;
  readonly calls: number;
  readonly seconds: number;
  /** How many calls ended with a result and with each outcome, to check that all occurred. */
  readonly endings: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
  /** One text for each violation, and for each uncaught error. */
  readonly reports: readonly string[];
}

export interface RunOptions {
  readonly seed: number;
  readonly calls: number;
  readonly protocol: Protocol;
  /** Runs only the scenario with this index. */
  readonly only?: number | undefined;
}

export async function runScenarios({ seed, calls, protocol, only }: RunOptions): Promise<RunReport> {
  const start = performance.now();
  const scenarios = scenariosOf(seed, calls, protocol).filter(
    ({ index }) => only === undefined || index === only,
  );
  const uncaught: unknown[] = [];
  const record = (error: unknown) => uncaught.push(error);
  const runner = await ScenarioRunner.create();
  process.on("uncaughtException", record).on("unhandledRejection", record);
  try {
    for (const group of groupsOf(scenarios)) await runner.runGroup(group);
  } finally {
    await runner.close();
    await sleep(20); // uncaught errors are reported with a delay
    process.off("uncaughtException", record).off("unhandledRejection", record);
  }
  const { ledger } = runner;
  const violations = scenarios.flatMap((scenario) => runner.judge(scenario));
  const reports = violations.map((violation) => describeViolation(seed, ledger, violation));
  for (const error of uncaught)
    reports.push(`uncaught, seed ${seed}: ${error instanceof Error ? error.stack : error}`);
  for (const name of ledger.malformed) reports.push(`seed ${seed}: the body of ${name} is not an order`);
  const endings = runner.count();
  const count = Object.values(endings).reduce((sum, number) => sum + number, 0);
  return { seed, calls: count, seconds: (performance.now() - start) / 1000, endings, violations, reports };
}

/** Groups scenarios that may run at the same time: one group for all that do not change the process. */
function groupsOf(scenarios: readonly Scenario[]): Scenario[][] {
  const groups = new Map<string, Scenario[]>();
  for (const scenario of scenarios) {
    const { dispatcher, transport, index } = scenario;
    const isExclusive = transport === "global fetch that repeats once";
    const name = isExclusive ? `alone ${index}` : `${dispatcher}, ${isWrapped(scenario)}`;
    groups.set(name, [...(groups.get(name) ?? []), scenario]);
  }
  return [...groups.values()];
}

const isWrapped = ({ transport }: Scenario) => transport === "wrapped global fetch";

type Store = ReturnType<typeof memoryStore>;

class ScenarioRunner {
  readonly ledger = new Ledger();
  readonly #judge = new Judge(this.ledger);
  readonly #endings = new Map<Scenario, Ending[]>();
  readonly #repeatOrigins = new Map<string, string>();
  // In memory if possible: this test is not about power failures.
  readonly #folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "payments-truth-"));
  readonly #sqlite = sqliteStore(join(this.#folder, "orders.db"));
  readonly #foreign = new Map<ForeignKind, PaymentsError>();
  readonly #silentSockets = new Set<Socket>();
  readonly #silent = createServer((socket) => {
    this.#silentSockets.add(socket.on("error", () => undefined));
  });
  #refusedPort = 0;

  static async create(): Promise<ScenarioRunner> {
    const runner = new ScenarioRunner();
    runner.#refusedPort = await freePort();
    await new Promise<void>((resolve) => runner.#silent.listen(0, "127.0.0.1", resolve));
    await runner.#createForeignErrors();
    return runner;
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
    const [first] = group;
    if (first === undefined) return;
    const { dispatcher, protocol } = first;
    const repeatOriginOf = (attempt: string) => this.#repeatOrigins.get(attempt) ?? "http://127.0.0.1:1";
    const isPlatforms = dispatcher === "default" && protocol === "HTTP/1.1";
    const restoreDispatcher = isPlatforms
      ? undefined
      : await replaceDispatcher(dispatcher, protocol, repeatOriginOf);
    const restoreFetch = isWrapped(first) ? wrapFetch() : undefined;
    const waiting = [...group];
    const runWaiting = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await this.#runScenario(next);
    };
    try {
      await Promise.all(Array.from({ length: SCENARIOS_AT_ONCE }, runWaiting));
    } finally {
      restoreFetch?.();
      restoreDispatcher?.();
    }
  }

  async #runScenario(scenario: Scenario): Promise<void> {
    const isHttp2 = scenario.protocol === "HTTP/2";
    const oracle = await (isHttp2 ? startHttp2Oracle : startOracle)(this.ledger);
    const host = `${isHttp2 ? "https" : "http"}://127.0.0.1`;
    const refused = `${host}:${this.#refusedPort}`;
    const service = `${host}:${oracle.port}`;
    const repeatOrigin = scenario.repeatsAt === "service" ? service : refused;
    const transport = transportOf(scenario, repeatOrigin, this.#foreignOf(scenario));
    const store = this.#storeOf(scenario);
    const faulty = store && withFault(store, scenario, this.#foreignOf(scenario));
    const baseUrl = {
      service,
      "refused port": refused,
      "https on an http port": `https://127.0.0.1:${oracle.port}`,
      "TLS without a response": `https://127.0.0.1:${(this.#silent.address() as AddressInfo).port}`,
    }[scenario.target];
    const endings: Ending[] = [];
    this.#endings.set(scenario, endings);
    try {
      for (const wave of new Set(scenario.attempts.map((attempt) => attempt.wave))) {
        const shared = new AbortController();
        const together = scenario.attempts.filter((attempt) => attempt.wave === wave);
        const calls = together.map(async (attempt) => {
          this.#repeatOrigins.set(attempt.name, repeatOrigin);
          const environment = { baseUrl, fetch: transport.fetch, store: faulty, shared };
          const ending = await this.#call(scenario, attempt, environment);
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

  /** Repeats every order without interference: what the store recorded decides whether it is charged again. */
  async #repeatAll(scenario: Scenario, store: Store, baseUrl: string, endings: Ending[]): Promise<void> {
    const orders = new Map(scenario.attempts.map((attempt) => [attempt.externalRef, attempt]));
    const undisturbed = { ...scenario, signer: "none", isAbortShared: false } as const;
    for (const last of orders.values()) {
      const { abort: _, ...order } = last;
      const replies = [CHARGED, CHARGED] as const;
      const name = `${last.name} again`;
      const again = { name, wave: 99, timeout: 10_000, listener: "none", replies } as const;
      const environment = { baseUrl, fetch: undefined, store, shared: new AbortController() };
      endings.push(await this.#call(undisturbed, { ...order, ...again }, environment));
    }
  }

  async #call(
    scenario: Scenario,
    attempt: Attempt,
    environment: {
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
    const { signal: ownSignal } = controller;
    const signal = isComposed ? AbortSignal.any([ownSignal, environment.shared.signal]) : ownSignal;
    this.ledger.replies.set(attempt.name, attempt.replies);
    const client = new PaymentsClient({
      baseUrl: environment.baseUrl,
      secretKey: SECRET_KEY,
      publicKey: PUBLIC_KEY,
      fetch: environment.fetch,
      idempotency: environment.store,
      onEvent,
      ...signerOf(scenario, foreign),
    });
    const { externalRef, amount, timeout, wait } = attempt;
    const params =
      attempt.method === "pix" ? aPix({ externalRef, amount }) : aCardPayment({ externalRef, amount });
    const headers = { [ATTEMPT_HEADER]: attempt.name };
    const maybe = { ...(environment.store && { wait }), ...((abort || isComposed) && { signal }) };
    const options = { timeout, headers, ...maybe };
    const end = { attempt, reported };
    try {
      const call = createTransaction(client, params, options);
      const { data, response } = await withDeadline(call, timeout + 5_000);
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
    if (error === undefined) throw new Error(`No other call ended as ${foreign}.`);
    return error;
  }

  #storeOf({ store }: Scenario): Store | undefined {
    if (store === "none") return undefined;
    return store === "memory" ? memoryStore() : this.#sqlite;
  }

  /** Calls outside the scenarios that fail with each outcome: merchants may pass their errors on. */
  async #createForeignErrors(): Promise<void> {
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
      const fetch = nodeTransport(); // it can prove not_sent
      const client = new PaymentsClient({ baseUrl, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY, fetch });
      const order = aPix({ externalRef: name });
      const error = await client.transactions.createPix(order, { headers: { [ATTEMPT_HEADER]: name } }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!isPaymentsError(error) || error.outcome !== kind) {
        throw new Error(`A call did not end as ${kind}.`, { cause: error });
      }
      this.#judge.addForeignError(error);
      this.#foreign.set(kind as ForeignKind, error);
    }
    await oracle.close();
  }
}

function createTransaction(
  client: PaymentsClient,
  params: ReturnType<typeof aPix> | ReturnType<typeof aCardPayment>,
  options: object,
): Promise<WithResponse<Transaction>> {
  return "card" in params
    ? client.transactions.createCard(params, options).withResponse()
    : client.transactions.createPix(params as ReturnType<typeof aPix>, options).withResponse();
}

/** Fails if a call does not end: the caller does not get a PaymentsError then, which violates a rule. */
async function withDeadline<Value>(call: PromiseLike<Value>, ms: number): Promise<Value> {
  const waiting = new AbortController();
  const late = sleep(ms, undefined, waiting).then(() => {
    throw new Error(`the call did not end within ${ms} ms`);
  });
  return Promise.race([call, late]).finally(() => waiting.abort());
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
  keys: [{ kid: "1", secret: "a secret for this test, 32 bytes or more" }],
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

/** Makes the store slow, or makes it throw another call's error before or after its operation. */
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
