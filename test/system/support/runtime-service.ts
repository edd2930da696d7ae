import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { expect } from "vitest";
import { start } from "../../sandbox/support/running.ts";
import {
  closedBaseUrl,
  closeSilently,
  type Exchange,
  json,
  listen,
  type Reply,
  resetAfterReading,
  SELF_SIGNED,
  stall,
  startServer,
  text,
} from "../../support/http-server.ts";
import type { Addresses, TransportName, UncertainServer } from "../runtimes/smoke/environment.ts";

const serverOf = ({ request }: Exchange) => (request.socket as Socket & { server: Server }).server;

/** Closes the connection and stops listening, so that a repeated request would be refused. */
const closeForGood: Reply = async (exchange) => {
  await exchange.requestRead;
  serverOf(exchange).close();
  exchange.request.socket.destroy();
};

/** How the exchange of a create request ends after it was read completely. A runtime must not repeat it for any of them. */
const ENDINGS: Readonly<Record<string, Reply>> = {
  "left without a response": stall,
  closed: closeSilently,
  reset: resetAfterReading,
  "closed permanently": closeForGood,
  "ended with a 421": text(421, ""), // RFC 9110 lets a client repeat it on another connection, and undici does
};

const CREATED = { id: 1, status: "pending", amount: 1990, pix: { qrcodeText: "00020126" } };

/** Responds, and keeps connections for a long time: undici does not reuse one that closes within two seconds. */
const keep: Reply = (exchange) => {
  serverOf(exchange).keepAliveTimeout = 30_000;
  return json(201, { success: true, data: CREATED })(exchange);
};

/** Also records the client port of each request, which identifies its connection. */
interface RecordingServer extends UncertainServer {
  readonly ports: readonly unknown[];
}

/** A TLS handshake gets no response for longer than any test of it takes. */
const SILENT_MS = 3_000;

/** Starts the servers of one smoke test. Each run needs new ones, because some stop listening. */
export async function startService() {
  const sandbox = await start();
  const { baseUrl, secretKey, publicKey } = sandbox;
  const untrusted: unknown[] = [];
  const untrustedServer = createTlsServer(SELF_SIGNED, ({ url }, response) => {
    untrusted.push(url);
    response.end("{}");
  });
  const uncertain = { fetch: await startUncertainServers(), nodeTransport: await startUncertainServers() };
  const https = (url: string) => url.replace("http:", "https:");
  const addresses: Addresses = {
    ...{ baseUrl, secretKey, publicKey, uncertain },
    closedUrl: await closedBaseUrl(),
    untrustedUrl: https(await listen(untrustedServer)),
    silentUrl: https(await listen(silentServer())),
    plainUrl: https(baseUrl),
  };

  /** Checks that no create request arrived twice. Call it at the end, because a repeated request may be late. */
  const expectSentOnce = (transport: TransportName, { keepsConnections = true } = {}) => {
    for (const { ending, isKept, ports } of uncertain[transport]) {
      const requests = `requests with ${transport} over a ${isKept ? "kept" : "new"} connection, ${ending}`;
      expect(ports.length, requests).toBe(isKept ? 3 : 1);
      // A runtime is most likely to repeat a request on a kept connection, so one has to be used.
      if (isKept && keepsConnections) expect(ports.slice(0, -1), requests).toContain(ports.at(-1));
    }
    expect(untrusted).toEqual([]);
  };
  return { addresses, expectSentOnce };
}

async function startUncertainServers(): Promise<RecordingServer[]> {
  const all: RecordingServer[] = [];
  for (const [ending, reply] of Object.entries(ENDINGS)) {
    for (const isKept of [true, false]) {
      const ports: unknown[] = [];
      const replies = isKept ? [keep, keep, reply] : [reply];
      const recording = replies.map(
        (reply): Reply =>
          (exchange) => {
            ports.push(exchange.request.socket.remotePort);
            return reply(exchange);
          },
      );
      all.push({ ending, isKept, url: (await startServer(...recording)).baseUrl, ports });
    }
  }
  return all;
}

/** Never responds to a TLS handshake. */
function silentServer(): Server {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on("error", () => undefined).resume());
    socket.setTimeout(SILENT_MS, () => socket.destroy());
  });
  const closeAllConnections = () => sockets.forEach((socket) => void socket.destroy());
  return Object.assign(server, { closeAllConnections }) as unknown as Server;
}
