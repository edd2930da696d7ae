import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "./free-port.ts";

/** One request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** What came of the body so far. */
  body: string;
}

/** One request that waits for what the test wants to happen to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
  /** Resolves when the whole request was read. */
  readonly whole: Promise<void>;
}

/** What happens to a request. */
export type Reply = (exchange: Exchange) => unknown;

export interface HttpServer {
  readonly baseUrl: string;
  /** Every request that arrived, retries included. */
  readonly arrivals: readonly Arrival[];
  /** How many TCP connections were opened. */
  readonly connections: () => number;
}

/** A real server whose replies are scripted: the first request gets the first one, the last one repeats. */
export async function startServer(...replies: readonly Reply[]): Promise<HttpServer> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const arrival: Arrival = { method, url, headers, body: "" };
    arrivals.push(arrival);
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const whole = readInto(arrival, request);
    replies[Math.min(arrivals.length, replies.length) - 1]?.({ request, response, arrival, whole });
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const baseUrl = await listen(server);
  return { baseUrl, arrivals, connections: () => connections };
}

/** A server that resets every connection before it reads anything from it. */
export async function startResettingServer(): Promise<{ baseUrl: string; connections: () => number }> {
  let connections = 0;
  const server = createServer();
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.resetAndDestroy();
  });
  return { baseUrl: await listen(server), connections: () => connections };
}

/** The address of a port where nobody listens. */
export async function closedBaseUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** Lets a server listen until the test ends, and gives its address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readInto(arrival: Arrival, request: IncomingMessage): Promise<void> {
  request.setEncoding("utf8");
  request.on("data", (chunk: string) => {
    arrival.body += chunk;
  });
  await new Promise<void>((resolve) => request.on("end", resolve));
}

type HeaderValues = Readonly<Record<string, string | string[]>>;

/** Answers with a text once the request was read. */
export function text(status: number, body: string, headers: HeaderValues = {}): Reply {
  return async ({ response, whole }) => {
    await whole;
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
  };
}

export function json(status: number, body: unknown, headers: HeaderValues = {}): Reply {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

export function html(status: number, body: string): Reply {
  return text(status, body, { "content-type": "text/html" });
}

/** Reads the request and never answers. */
export const stall: Reply = ({ whole }) => whole;

/** Sends a head and the beginning of a body, and never the rest. */
export function stallInside(status: number, beginning: string, headers: HeaderValues = {}): Reply {
  return async ({ response, whole }) => {
    await whole;
    response.writeHead(status, headers).write(beginning);
  };
}

/** Resets the connection as soon as the head of a request is here. */
export const resetAtOnce: Reply = ({ request }) => request.socket.resetAndDestroy();

/** Resets the connection after the whole request was read. */
export const resetAfterReading: Reply = async ({ request, whole }) => {
  await whole;
  request.socket.resetAndDestroy();
};

/** Sends a head and the beginning of a body, then resets the connection. */
export function resetInside(status: number, beginning: string): Reply {
  return async ({ request, response, whole }) => {
    await whole;
    response.writeHead(status, { "content-length": String(beginning.length + 100) });
    response.write(beginning, () => request.socket.resetAndDestroy());
  };
}

/** Closes the connection politely, without a word, as a keep-alive connection that became too old. */
export const closeSilently: Reply = async ({ request, whole }) => {
  await whole;
  request.socket.end();
};
