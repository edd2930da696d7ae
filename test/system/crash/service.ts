import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Attempt, Drop, Order } from "./plan.ts";

/** By it the service knows which process sends. */
export const ATTEMPT_HEADER = "x-attempt";

/** The sandbox, behind connections that drop, and that know when to kill the sender. */
export class Service {
  readonly sandbox: Sandbox;
  /** What happened to their connections, one entry for each that was dropped. */
  readonly drops: Drop[] = [];
  /** The attempts whose request was taken. */
  readonly taken = new Set<string>();
  readonly #attempts: ReadonlyMap<string, Attempt>;
  readonly #kill: (attempt: string) => void;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  private constructor(sandbox: Sandbox, orders: readonly Order[], kill: (attempt: string) => void) {
    this.sandbox = sandbox;
    this.#kill = kill;
    this.#attempts = new Map(orders.flatMap(({ attempts }) => attempts.map((one) => [one.name, one])));
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
    const name = String(request.headers[ATTEMPT_HEADER]);
    const attempt = this.#attempts.get(name);
    const isKilled = attempt?.moment === "during the send";
    if (isKilled) this.#kill(name);
    else if (attempt?.drop !== undefined) this.drops.push(attempt.drop);
    const isTaken = isKilled ? attempt.isTaken : attempt?.drop !== "before it was taken";
    const answer = isTaken ? await this.#pass(request, body) : undefined;
    if (answer === undefined || isKilled || attempt?.drop === "after it was taken") {
      return void response.destroy();
    }
    const { status, bytes } = answer;
    response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
    if (attempt?.drop === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  /** Lets the sandbox do what was asked for. */
  async #pass({ url, headers }: IncomingMessage, body: Buffer) {
    this.taken.add(String(headers[ATTEMPT_HEADER]));
    const answer = await fetch(`${this.sandbox.baseUrl}${url}`, {
      method: "POST",
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      body: new Uint8Array(body),
    });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  }
}
