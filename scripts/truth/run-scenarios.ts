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
import { aCardPayment, aPix, failureOf, PUBLIC_KEY, SECRET_KEY } from "../../test/support/merchant.ts";
import { freePort } from "../../test/support/running.ts";
import { Slots } from "../../test/system/support/slots.ts";
import { ATTEMPT_HEADER, Ledger, startOracle } from "./oracle.ts";
import { describeViolation, type Ending, Judge } from "./rules.ts";
import { type Attempt, CHARGED, type Protocol, type Scenario, scenariosOf } from "./scenarios.ts";
import { replaceDispatcher, transportOf, wrapFetch } from "./transports.ts";

/** Runs scenarios against the oracle, and checks every call. */

const SCENARIOS_AT_ONCE = 8;

export interface RunOptions {
  readonly seed: number;
  readonly calls: number;
  readonly protocol: Protocol;
  /** Runs only the scenario with this index. */
  readonly only?: number | undefined;
}

export interface RunReport {
  readonly summary: string;
  /** How many calls ended with a result and with each outcome, to check that all occurred. */
  readonly endings: Readonly<Record<string, number>>;
  /** One text for each violation, and for each uncaught error. */
  readonly reports: readonly string[];
}

export async function runScenarios({ seed, calls, protocol, only }: RunOptions): Promise<RunReport> {
  const start = performance.now();
  const all = scenariosOf(seed, calls, protocol);
  const scenarios = only === undefined ? all : all.filter(({ index }) => index === only);
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
  const endings = runner.count();
  const reports = [
    ...scenarios
      .flatMap((scenario) => runner.judge(scenario))
      .map((one) => describeViolation(seed, runner.ledger, one)),
    ...uncaught.map((error) => `uncaught, seed ${seed}: ${error instanceof Error ? error.stack : error}`),
    ...runner.ledger.malformed.map((name) => `seed ${seed}: the body of ${name} is not an order`),
  ];
  const count = Object.values(endings).reduce((sum, number) => sum + number, 0);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const summary = `${protocol}, seed ${seed}: ${count} calls in ${seconds} s, ${JSON.stringify(endings)}`;
  return { summary, endings, reports };
}

/** Groups scenarios that may run at the same time: one group for all that do not change the process. */
function groupsOf(scenarios: readonly Scenario[]): Scenario[][] {
  const groups: Record<string, Scenario[]> = {};
  for (const scenario of scenarios) {
    const { transport, dispatcher, index } = scenario;
    const isAlone = transport === "global fetch that repeats once";
    const name = isAlone ? `alone ${index}` : `${dispatcher}, ${isWrapped(scenario)}`;
    groups[name] = [...(groups[name] ?? []), scenario];
  }
  return Object.values(groups);
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
  readonly #foreign = new Map<string, PaymentsError>();
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

  judge(scenario: Scenario) {
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
    const slots = new Slots(SCENARIOS_AT_ONCE);
    try {
      await Promise.all(group.map((scenario) => slots.use(() => this.#runScenario(scenario))));
    } finally {
      restoreFetch?.();
      restoreDispatcher?.();
    }
  }

  async #runScenario(scenario: Scenario): Promise<void> {
    const isHttp2 = scenario.protocol === "HTTP/2";
    const oracle = await startOracle(this.ledger, scenario.protocol);
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
    const headers = { [ATTEMPT_HEADER]: attempt.name };
    const maybe = { ...(environment.store && { wait }), ...((abort || isComposed) && { signal }) };
    const options = { timeout, headers, ...maybe };
    const end = { attempt, reported };
    try {
      const call: PromiseLike<WithResponse<Transaction>> =
        attempt.method === "pix"
          ? client.transactions.createPix(aPix({ externalRef, amount }), options).withResponse()
          : client.transactions.createCard(aCardPayment({ externalRef, amount }), options).withResponse();
      const { data, response } = await withDeadline(call, timeout + 5_000);
      return { ...end, result: { id: data.id, isReplayed: response.replayed } };
    } catch (error) {
      return { ...end, error };
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
    const oracle = await startOracle(this.ledger, "HTTP/1.1");
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
      const error = await failureOf(
        client.transactions.createPix(order, { headers: { [ATTEMPT_HEADER]: name } }),
      );
      if (error.outcome !== kind) throw new Error(`A call did not end as ${kind}.`, { cause: error });
      this.#judge.addForeignError(error);
      this.#foreign.set(kind, error);
    }
    await oracle.close();
  }
}

/** Fails if a call does not end: the caller does not get a PaymentsError then, which violates a rule. */
async function withDeadline<Value>(call: PromiseLike<Value>, ms: number): Promise<Value> {
  const waiting = new AbortController();
  const late = sleep(ms, undefined, waiting).then(() => {
    throw new Error(`the call did not end within ${ms} ms`);
  });
  return Promise.race([call, late]).finally(() => waiting.abort());
}

const reasonOf = (reason: NonNullable<Attempt["abort"]>["reason"] | undefined, foreign: Error): unknown =>
  ({
    none: undefined,
    text: "the customer left",
    Error: new Error("the customer left"),
    DOMException: new DOMException("the customer left", "TimeoutError"),
    "another call's error": foreign,
  })[reason ?? "none"];

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
  const faulty = async <Result>(
    operation: "claim" | "recordOutcome",
    run: () => Promise<Result>,
  ): Promise<Result> => {
    if (storeFault === "slow") await sleep(8);
    if (storeFault === `throws before ${operation}`) throw foreign;
    const result = await run();
    if (storeFault === `throws after ${operation}`) throw foreign;
    return result;
  };
  return {
    ...store,
    claim: (...order) => faulty("claim", () => store.claim(...order)),
    recordOutcome: (...order) => faulty("recordOutcome", () => store.recordOutcome(...order)),
  };
}
