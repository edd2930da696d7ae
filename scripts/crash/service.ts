import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Attempt, Drop, Order } from "./plan.ts";

/** Identifies the sending process to the service. */
export const ATTEMPT_HEADER = "x-attempt";

/** The sandbox, behind connections that drop, and that know when to kill the sender. */
export class Service {
  readonly sandbox: Sandbox;
  /** One entry for each dropped connection. */
  readonly drops: Drop[] = [];
  /** The attempts whose request was accepted. */
  readonly accepted = new Set<string>();
  readonly #attempts: ReadonlyMap<string, Attempt>;
  readonly #kill: (attempt: string) => void;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

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

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return void response.destroy(); // its sender was killed before the request was complete
    const name = String(request.headers[ATTEMPT_HEADER]);
    const attempt = this.#attempts.get(name);
    const isKilled = attempt?.moment === "during the send";
    if (isKilled) this.#kill(name);
    else if (attempt?.drop !== undefined) this.drops.push(attempt.drop);
    const isAccepted = isKilled ? attempt.isAccepted : attempt?.drop !== "before it was accepted";
    const reply = isAccepted ? await this.#forward(request, body) : undefined;
    if (reply === undefined || isKilled || attempt?.drop === "after it was accepted") {
      return void response.destroy();
    }
    const { status, bytes } = reply;
    response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
    if (attempt?.drop === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  }

  /** Forwards the request to the sandbox, in process: a kept connection can be closed while the next request is sent. */
  async #forward({ url, headers }: IncomingMessage, body: Buffer) {
    this.accepted.add(String(headers[ATTEMPT_HEADER]));
    const reply = await this.sandbox.gateway.fetch(`${this.sandbox.baseUrl}${url}`, {
      method: "POST",
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      body: new Uint8Array(body),
    });
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
  }
}
