import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished } from "vitest";
import { closedBaseUrl, listen } from "../../../support/http-server.ts";
import { SELF_SIGNED } from "../../../support/self-signed.ts";
import type { Addresses, Doubtful, Way } from "../smoke/setting.ts";

/** RFC 9110 lets a client repeat a request on another connection after this answer, and undici does. */
const MISDIRECTED = 421;

/** What becomes of a create request after it was read whole. A runtime must not take any of it as a reason to repeat. */
const DOUBTS: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse, server: Server) => void>
> = {
  "left without an answer": () => undefined, // the client gives up, and ends the connection
  closed: ({ socket }) => socket.destroy(),
  reset: ({ socket }) => socket.resetAndDestroy(),
  "closed for good": ({ socket }, _response, server) => {
    server.close();
    socket.destroy();
  },
  "answered with 421": (_request, response) => void response.writeHead(MISDIRECTED).end(),
  "answered with 421 for good": (_request, response, server) => {
    server.close();
    response.writeHead(MISDIRECTED, { connection: "close" }).end();
  },
};

/** Undici keeps no connection that its service would end within two seconds. */
const KEPT_MS = 10_000;

/** A TLS handshake stays without an answer for longer than all that is tried over it. */
const SILENT_MS = 3_000;

const CREATED = {
  success: true,
  data: { id: 1, status: "pending", amount: 1990, pix: { qrcodeText: "00020126" } },
};

/** A server that leaves some requests in doubt, and the number of the connection that each request came over. */
interface Arrivals extends Doubtful {
  readonly connections: readonly number[];
}

/** What the smoke test talks to, until the test ends. Each run needs its own: some servers stop to listen. */
export async function startService() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { baseUrl, secretKey, publicKey } = sandbox;
  const untrusted: unknown[] = [];
  const untrustedServer = createTlsServer(SELF_SIGNED, ({ url }, response) => {
    untrusted.push(url);
    response.end("{}");
  });
  const doubtful = { fetch: await startDoubtful(), nodeTransport: await startDoubtful() };
  const https = (url: string) => url.replace("http:", "https:");
  const addresses: Addresses = {
    ...{ baseUrl, secretKey, publicKey, doubtful },
    closedUrl: await closedBaseUrl(),
    untrustedUrl: https(await listen(untrustedServer)),
    silentUrl: https(await listen(silentServer())),
    plainUrl: https(baseUrl),
  };

  /** No create request arrived twice. To be called at the end, because a repetition may come late. */
  const expectSentOnce = (way: Way, { keepsConnections = true } = {}) => {
    for (const { what, isKept, connections } of doubtful[way]) {
      const place = `requests by ${way} over a ${isKept ? "kept" : "new"} connection, ${what}`;
      expect(connections.length, place).toBe(isKept ? 3 : 1);
      const wasKept = connections.slice(0, -1).includes(connections.at(-1) ?? -1);
      expect(wasKept, `${place}: whether it was kept`).toBe(isKept && keepsConnections);
    }
    expect(untrusted).toEqual([]);
  };
  return { addresses, expectSentOnce };
}

async function startDoubtful(): Promise<Arrivals[]> {
  const all: Arrivals[] = [];
  for (const [what, doubt] of Object.entries(DOUBTS)) {
    for (const isKept of [true, false]) {
      const connections: number[] = [];
      const url = await listen(doubtfulServer(doubt, connections));
      all.push({ what, isKept, url, connections });
    }
  }
  return all;
}

/** Keeps its connections, and answers a create request unless its reference says `doubtful`. */
function doubtfulServer(doubt: (typeof DOUBTS)[string], arrivals: number[]): Server {
  const sockets: unknown[] = [];
  const server = createServer({ keepAliveTimeout: KEPT_MS }, async (request, response) => {
    const body = await text(request);
    arrivals.push(sockets.indexOf(request.socket));
    if (body.includes('"doubtful"')) doubt(request, response, server);
    else response.setHeader("content-type", "application/json").end(JSON.stringify(CREATED));
  });
  return server.on("connection", (socket) => sockets.push(socket));
}

/** Answers no TLS handshake. */
function silentServer(): Server {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => undefined).resume());
    socket.setTimeout(SILENT_MS, () => socket.destroy());
  });
  const closeAllConnections = () => sockets.forEach((socket) => void socket.destroy());
  return Object.assign(server, { closeAllConnections }) as unknown as Server;
}
