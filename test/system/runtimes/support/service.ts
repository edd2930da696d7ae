import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished } from "vitest";
import {
  closedBaseUrl,
  closeSilently,
  type Exchange,
  json,
  listen,
  type Reply,
  resetAfterReading,
  stall,
  startServer,
  text,
} from "../../../support/http-server.ts";
import { SELF_SIGNED } from "../../../support/self-signed.ts";
import type { Addresses, Doubtful, Way } from "../smoke/setting.ts";

const serverOf = ({ request }: Exchange) => (request.socket as Socket & { server: Server }).server;

/** Closes the connection and listens no more, so that a repetition would be refused. */
const closeForGood: Reply = async (exchange) => {
  await exchange.whole;
  serverOf(exchange).close();
  exchange.request.socket.destroy();
};

/** What becomes of a create request after it was read whole. A runtime must not take any of it as a reason to repeat. */
const DOUBTS: Readonly<Record<string, Reply>> = {
  "left without an answer": stall,
  closed: closeSilently,
  reset: resetAfterReading,
  "closed for good": closeForGood,
  "answered with 421": text(421, ""), // RFC 9110 lets a client repeat it on another connection, and undici does
};

const CREATED = { id: 1, status: "pending", amount: 1990, pix: { qrcodeText: "00020126" } };

/** Answers, and keeps the connections for long: undici uses none that would end within two seconds. */
const keep: Reply = (exchange) => {
  serverOf(exchange).keepAliveTimeout = 30_000;
  return json(201, { success: true, data: CREATED })(exchange);
};

/** A server that leaves a request in doubt, and the port that each request came from, which is its connection's. */
interface Arrivals extends Doubtful {
  readonly ports: readonly unknown[];
}

/** A TLS handshake stays without an answer for longer than all that is tried over it. */
const SILENT_MS = 3_000;

/** What the smoke test talks to, until the test ends. Each run needs its own: some servers listen no more. */
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
    for (const { what, isKept, ports } of doubtful[way]) {
      const place = `requests by ${way} over a ${isKept ? "kept" : "new"} connection, ${what}`;
      expect(ports.length, place).toBe(isKept ? 3 : 1);
      // Otherwise a runtime would not be tried where it is most tempted to repeat.
      if (isKept && keepsConnections) expect(ports.slice(0, -1), place).toContain(ports.at(-1));
    }
    expect(untrusted).toEqual([]);
  };
  return { addresses, expectSentOnce };
}

async function startDoubtful(): Promise<Arrivals[]> {
  const all: Arrivals[] = [];
  for (const [what, doubt] of Object.entries(DOUBTS)) {
    for (const isKept of [true, false]) {
      const ports: unknown[] = [];
      const replies = isKept ? [keep, keep, doubt] : [doubt];
      const noting = replies.map(
        (reply): Reply =>
          (exchange) => {
            ports.push(exchange.request.socket.remotePort);
            return reply(exchange);
          },
      );
      all.push({ what, isKept, url: (await startServer(...noting)).baseUrl, ports });
    }
  }
  return all;
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
