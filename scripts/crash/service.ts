import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Drop, Order } from "./plan.ts";

/** Identifies the sending process to the service. */
export const ATTEMPT_HEADER = "x-attempt";

/** The sandbox, behind connections that drop, and that know when to kill the sender. */
export interface Service {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  /** One entry for each dropped connection. */
  readonly drops: readonly Drop[];
  /** The attempts whose request was accepted. */
  readonly accepted: ReadonlySet<string>;
  close(): Promise<void>;
}

/** @param kill - Kills the process of an attempt at once. */
export async function startService(
  orders: readonly Order[],
  kill: (attempt: string) => void,
): Promise<Service> {
  const sandbox = await startSandbox();
  const drops: Drop[] = [];
  const accepted = new Set<string>();
  const attempts = new Map(orders.flatMap(({ attempts }) => attempts.map((one) => [one.name, one])));

  /** Forwards the request to the sandbox, in process: a kept connection can be closed while the next request is sent. */
  async function forward(name: string, { url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
    accepted.add(name);
    return sandbox.gateway.fetch(`${sandbox.baseUrl}${url}`, {
      method: "POST",
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      body: new Uint8Array(body),
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return void response.destroy(); // its sender was killed before the request was complete
    const name = String(request.headers[ATTEMPT_HEADER]);
    const attempt = attempts.get(name);
    if (attempt?.moment === "during the send") {
      kill(name);
      if (attempt.isAccepted) await forward(name, request, body);
      return void response.destroy();
    }
    const drop = attempt?.drop;
    if (drop !== undefined) drops.push(drop);
    if (drop === "before it was accepted") return void response.destroy();
    await respond(await forward(name, request, body), drop, response);
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await sandbox.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { sandbox, baseUrl, drops, accepted, close };
}

async function respond(reply: Response, drop: Drop | undefined, response: ServerResponse): Promise<void> {
  if (drop === "after it was accepted") return void response.destroy();
  const bytes = Buffer.from(await reply.arrayBuffer());
  response.writeHead(reply.status, { "content-type": "application/json", "content-length": bytes.length });
  if (drop === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}
