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
import { freePort } from "./running.ts";

/** One request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body received so far. */
  body: string;
}

/** One request, to which the test's reply responds. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
  /** Resolves once the whole request has been read. */
  readonly requestRead: Promise<void>;
}

/** Responds to a request, or fails in a scripted way. */
export type Reply = (exchange: Exchange) => unknown;

export interface HttpServer {
  readonly baseUrl: string;
  /** Every request that arrived, retries included. */
  readonly arrivals: readonly Arrival[];
  /** The number of TCP connections opened. */
  readonly connections: () => number;
}

/** A real server with scripted replies: the first request gets the first reply; the last reply repeats. */
export async function startServer(...replies: readonly Reply[]): Promise<HttpServer> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const arrival: Arrival = { method, url, headers, body: "" };
    arrivals.push(arrival);
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    const requestRead = readInto(arrival, request);
    replies[Math.min(arrivals.length, replies.length) - 1]?.({ request, response, arrival, requestRead });
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const baseUrl = await listen(server);
  return { baseUrl, arrivals, connections: () => connections };
}

/** A server that resets every connection before it reads from it. */
export async function startResettingServer(): Promise<{ baseUrl: string; connections: () => number }> {
  let connections = 0;
  const server = createServer();
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.resetAndDestroy();
  });
  return { baseUrl: await listen(server), connections: () => connections };
}

/** The address of a port on which no server listens. */
export async function closedBaseUrl(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}

/** Starts a server until the test ends, and returns its address. */
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

/** Responds with a text once the request has been read. */
export function text(status: number, body: string, headers: HeaderValues = {}): Reply {
  return async ({ response, requestRead }) => {
    await requestRead;
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
  };
}

export function json(status: number, body: unknown, headers: HeaderValues = {}): Reply {
  return text(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

export function html(status: number, body: string): Reply {
  return text(status, body, { "content-type": "text/html" });
}

/** Reads the request and never responds. */
export const stall: Reply = ({ requestRead }) => requestRead;

/** Sends headers and the beginning of a body, and never the rest. */
export function stallInBody(status: number, beginning: string, headers: HeaderValues = {}): Reply {
  return async ({ response, requestRead }) => {
    await requestRead;
    response.writeHead(status, headers).write(beginning);
  };
}

/** Resets the connection as soon as the headers of a request have been read. */
export const resetAtOnce: Reply = ({ request }) => request.socket.resetAndDestroy();

/** Resets the connection after the whole request has been read. */
export const resetAfterReading: Reply = async ({ request, requestRead }) => {
  await requestRead;
  request.socket.resetAndDestroy();
};

/** Sends headers and the beginning of a body, then resets the connection. */
export function resetInBody(status: number, beginning: string): Reply {
  return async ({ request, response, requestRead }) => {
    await requestRead;
    response.writeHead(status, { "content-length": String(beginning.length + 100) });
    response.write(beginning, () => request.socket.resetAndDestroy());
  };
}

/** Closes the connection without a response, as servers do with an expired keep-alive connection. */
export const closeSilently: Reply = async ({ request, requestRead }) => {
  await requestRead;
  request.socket.end();
};

/** A promise that a test resolves when it calls `open`. */
export function aGate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

/** A self-signed certificate for localhost, valid until 2126. It protects nothing: its key is public. */
export const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcALuq1i/2a+n0mTQ
OH+r1vKQAAql2/XHYRxSx76tP9ihRANCAAS24FOwz/qxz4abxCBZp5y7Xaxudfam
wvNcM5NzN5lEN98gBDJks1KM0UcRhbWNHRQfF2hwUKBOJEDKfWbAJEhA
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUIXKqeUf7U4w0ujjufeROhhlQq3EwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAyMzA0OVoYDzIxMjYxMDI4
MDIzMDQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS24FOwz/qxz4abxCBZp5y7XaxudfamwvNcM5NzN5lEN98gBDJks1KM
0UcRhbWNHRQfF2hwUKBOJEDKfWbAJEhAo28wbTAdBgNVHQ4EFgQUIggazCBUUUsw
n1OHULxwIAqcrh8wHwYDVR0jBBgwFoAUIggazCBUUUswn1OHULxwIAqcrh8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgShxvmD0I51mFj13oDCHzm2LnSBKLYNsEW0SN90+8DrQCIQCK
rEnSP0IUJ7glr7K62f04OEgXCxIN0VQaOvHKyFvdvA==
-----END CERTIFICATE-----
`,
};
