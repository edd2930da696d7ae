/// <reference types="node" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createGateway, type Gateway } from "./gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";

/** Bytes of a request body that the server takes; above, it answers 413. */
const BODY_MAX_BYTES = 1_000_000;

export interface SandboxOptions extends GatewayOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine only. */
  readonly host?: string;
  /** Default: the address that the server listens on. For a server that is reached by another name. */
  readonly baseUrl?: string;
}

/** A running sandbox. Make one with {@link startSandbox}. */
export interface Sandbox {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly publicKey: string;
  /** The service behind the server: what exists in it, and its clock. */
  readonly gateway: Gateway;
  /** Stops listening and ends every connection, those that are kept alive too. May be called twice. */
  close(): Promise<void>;
}

/**
 * Serves a gateway over HTTP.
 *
 * @throws {Error} when the port is in use or the host cannot be listened on, and {TypeError} when an option
 * is not what its documentation says; nothing listens then.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", ...gatewayOptions } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError("startSandbox: port must be a whole number from 0 to 65535.");
  }
  // Slow clients are cut off: 10 s for the headers of a request, 30 s for all of it.
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 });
  await listen(server, port, host);

  try {
    const gateway = createGateway({ baseUrl: addressOf(server), ...gatewayOptions });
    server.on("request", (incoming, outgoing) => void serve(gateway, incoming, outgoing));
    const { baseUrl, secretKey, publicKey } = gateway;
    return { baseUrl, secretKey, publicKey, gateway, close: () => close(server) };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
      reject(new Error(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

/** A server bound to every address is reached by its loopback one. */
function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The sandbox has no TCP address.");
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const host = loopback[address.address] ?? address.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(gateway: Gateway, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const body = await readBody(incoming);
    const response =
      body === "too_large" ? failure(413, "Payload Too Large") : await answer(gateway, incoming, body);
    const bytes = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(
      response.status,
      [...response.headers, ["content-length", String(bytes.length)]].flat(),
    );
    outgoing.end(bytes);
  } catch {
    // The client went away while it was sending: there is nobody to answer.
    outgoing.destroy();
  }
}

async function answer(gateway: Gateway, incoming: IncomingMessage, body: Uint8Array<ArrayBuffer>) {
  const request = toRequest(gateway.baseUrl, incoming, body);
  const ip = incoming.socket.remoteAddress;
  return request ? gateway.fetch(request, ip === undefined ? {} : { ip }) : failure(400, "Bad Request");
}

/** Reads to the end even what is too large: a client that is still sending would not see the answer. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | "too_large"> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return length > BODY_MAX_BYTES ? "too_large" : new Uint8Array(Buffer.concat(chunks));
}

/** `undefined` for what HTTP allows and `Request` does not, such as TRACE. */
function toRequest(baseUrl: string, incoming: IncomingMessage, body: Uint8Array<ArrayBuffer>) {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  try {
    const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const init: RequestInit = { method, headers };
    if (body.length > 0 && method !== "GET" && method !== "HEAD") init.body = body;
    return new Request(new URL(baseUrl).origin + url, init);
  } catch {
    return undefined;
  }
}

function failure(status: number, message: string): Response {
  return Response.json({ success: false, message }, { status });
}
