import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { onTestFinished } from "vitest";
import { SELF_SIGNED } from "../../support/http-server.ts";

/** A TCP or TLS server that records what it receives. The test writes the HTTP responses. */
export interface RawServer {
  readonly port: number;
  readonly baseUrl: string;
  /** What each connection received. */
  readonly received: readonly string[];
  /** Connections that are open now. */
  readonly open: () => number;
  /** Refuses new connections; open ones stay open. */
  readonly stopListening: () => void;
}

/** Handles a connection; the first one has the number 0. */
export type OnSocket = (socket: Socket, number: number) => void;

export async function startRaw(onSocket: OnSocket = () => undefined, host = "127.0.0.1"): Promise<RawServer> {
  return serve(createServer(), "connection", "http", onSocket, host);
}

/** With a self-signed certificate. `received` holds the decrypted bytes. */
export async function startRawTls(
  onSocket: OnSocket = () => undefined,
  { onConnection }: { readonly onConnection?: () => void } = {},
): Promise<RawServer> {
  const server = createTlsServer(SELF_SIGNED);
  if (onConnection !== undefined) server.on("connection", onConnection); // before the handshake
  return serve(server, "secureConnection", "https", onSocket, "127.0.0.1");
}

async function serve(server: Server, event: string, scheme: string, onSocket: OnSocket, host: string) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(); // otherwise many small writes wait for each other
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("tlsClientError", () => undefined);
  server.on(event, (socket: Socket) => {
    const number = received.push("") - 1;
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received[number] += chunk.toString("latin1");
    });
    onSocket(socket, number);
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  const baseUrl = `${scheme}://${name}:${port}`;
  return { port, baseUrl, received, open: () => sockets.size, stopListening: () => void server.close() };
}

/** Sends the same response to each request, as soon as its first bytes are received. */
export function respondWith(...parts: readonly (string | Buffer)[]): OnSocket {
  return (socket) => {
    socket.on("data", () => {
      for (const part of parts) socket.write(part);
    });
  };
}

/** Responds to the first request, and ends the connection. */
export function respondAndEnd(...parts: readonly (string | Buffer)[]): OnSocket {
  return (socket) => {
    socket.once("data", () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
  };
}

/** A response with a content-length. */
export function httpResponse(body: string | Buffer, headers = "", status = "200 OK"): Buffer {
  const head = `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
}

/** A chunked response without its last chunk, which the caller adds. */
export const chunked = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
    ...parts.flatMap((part) => [
      Buffer.from(`${Buffer.byteLength(part).toString(16)}\r\n`),
      Buffer.from(part),
      Buffer.from("\r\n"),
    ]),
  ]);
