import { type AddressInfo, connect, createServer, type Server } from "node:net";
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

/** Another program that listens on the port of a sandbox. */
export async function takePort({ baseUrl }: Pick<Sandbox, "baseUrl">): Promise<Server> {
  const { hostname, port } = new URL(baseUrl);
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port), hostname, resolve);
  });
  if ((server.address() as AddressInfo).port !== Number(port)) throw new Error("another port");
  return server;
}
