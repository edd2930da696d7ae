import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";

/** A sandbox that ends with its test. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** What a socket of one's own gets to see. */
export interface RawConnection {
  /** All that came so far. */
  readonly received: () => string;
  readonly write: (text: string) => void;
  /** How it ended: `end` where the other side closed it, else the code of its error. */
  readonly ended: Promise<string>;
  readonly destroy: () => void;
}

/** Bytes put on a socket by hand. */
export async function dial({ baseUrl }: Pick<Sandbox, "baseUrl">): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  const ended = new Promise<string>((resolve) => {
    socket.once("end", () => resolve("end"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  return {
    received: () => received,
    write: (text) => void socket.write(text),
    ended,
    destroy: () => void socket.destroy(),
  };
}

/** The HTTP server of a sandbox, as Node shows it to those who watch requests. */
export async function serverOf({ baseUrl }: Pick<Sandbox, "baseUrl">): Promise<Server> {
  const { port } = new URL(baseUrl);
  const seen: Server[] = [];
  const watch = (message: unknown) => seen.push((message as { server: Server }).server);
  subscribe("http.server.request.start", watch);
  onTestFinished(() => void unsubscribe("http.server.request.start", watch));
  await fetch(`${baseUrl}/api/v1/status`);
  const server = seen.find((one) => (one.address() as AddressInfo | null)?.port === Number(port));
  if (server === undefined) throw new Error("no request was seen");
  return server;
}

/** A request as it goes over the wire. */
export async function rawRequest(request: Request): Promise<string> {
  const { pathname, search, host } = new URL(request.url);
  const body = await request.text();
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`);
  return [
    `${request.method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...headers,
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
