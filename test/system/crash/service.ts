import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Attempt, Drop, Order } from "./plan.ts";

/** By it the service knows which process sends. */
const ATTEMPT_HEADER = "x-attempt";

export const headersOf = (attempt: string) => ({ [ATTEMPT_HEADER]: attempt });

/** The sandbox, behind connections that drop, and that know when to kill whoever sends. */
export class Service {
  readonly sandbox: Sandbox;
  /** Creates that came. */
  requests = 0;
  /** What happened to their connections, one entry for each that was dropped. */
  readonly drops: Drop[] = [];
  /** The attempts whose create was done. */
  readonly taken = new Set<string>();
  readonly #plans: ReadonlyMap<string, { readonly order: Order; readonly attempt: Attempt }>;
  readonly #kill: (attempt: string) => void;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  private constructor(sandbox: Sandbox, orders: readonly Order[], kill: (attempt: string) => void) {
    this.sandbox = sandbox;
    this.#kill = kill;
    this.#plans = new Map(
      orders.flatMap((order) => order.attempts.map((attempt) => [attempt.name, { order, attempt }] as const)),
    );
  }

  /** @param kill - Kills the process of an attempt at once. */
  static async start(orders: readonly Order[], kill: (attempt: string) => void): Promise<Service> {
    const service = new Service(await startSandbox(), orders, kill);
    service.#server.listen(0, "127.0.0.1");
    await once(service.#server, "listening");
    return service;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.sandbox.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return void response.destroy(); // its sender was killed before the request was whole
    this.requests += 1;
    const { order, attempt } = this.#plans.get(String(request.headers[ATTEMPT_HEADER])) ?? {};
    if (attempt?.moment === "during the send") {
      this.#kill(attempt.name);
      if (attempt.isTaken) await this.#pass(request, body, order);
      response.destroy();
    } else {
      await this.#answer(response, attempt?.drop, () => this.#pass(request, body, order));
    }
  }

  async #answer(
    response: ServerResponse,
    drop: Drop | undefined,
    pass: () => Promise<Passed>,
  ): Promise<void> {
    if (drop !== undefined) this.drops.push(drop);
    if (drop === "before it was taken") return void response.destroy();
    const { status, type, bytes } = await pass();
    if (drop === "after it was taken") return void response.destroy();
    response.writeHead(status, { "content-type": type, "content-length": bytes.length });
    if (drop === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  /** Lets the sandbox do what was asked for. */
  async #pass({ url, headers }: IncomingMessage, body: Buffer, order?: Order): Promise<Passed> {
    this.taken.add(String(headers[ATTEMPT_HEADER]));
    const answer = await fetch(`${this.sandbox.baseUrl}${url}`, {
      method: "POST",
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      body: new Uint8Array(body),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (order?.isPaidAtOnce) await this.#pay(order);
    return { status: answer.status, type: answer.headers.get("content-type") ?? "", bytes };
  }

  async #pay({ externalRef }: Order): Promise<void> {
    const { gateway } = this.sandbox;
    for (const { id, status } of gateway.chargesFor(externalRef)) if (status === "pending") gateway.pay(id);
    await gateway.settled();
  }
}

interface Passed {
  readonly status: number;
  readonly type: string;
  readonly bytes: Buffer;
}
