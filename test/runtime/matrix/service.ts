import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { startSandbox } from "payments-sdk/sandbox/server";
import { SELF_SIGNED } from "../../support/self-signed.ts";
import type { Doubtful, Service } from "../smoke/setting.ts";
import { DOUBTS, doubtfulService } from "./doubtful-service.ts";

/**
 * How long a TLS handshake stays without an answer: longer than all that is tried over it. A fetch that was aborted
 * still waits for its connection, and its process ends only afterwards.
 */
const SILENT_MS = 3_000;

export interface RunningService {
  readonly address: Service;
  close(): Promise<void>;
}

/** What the smoke test talks to. Each run needs its own: it leaves servers behind that nobody listens on. */
export async function startService(): Promise<RunningService> {
  const arrivals: Record<string, number[]> = {};
  const servers: Server[] = [];
  /** A server whose arrivals are counted. */
  const listening = async (make: (onArrival: (connection: number) => void) => Server) => {
    const connections: number[] = [];
    const server = make((connection) => connections.push(connection));
    servers.push(server);
    const url = await listen(server);
    arrivals[url] = connections;
    return url;
  };
  const doubtfulServices = async () => {
    const all: Doubtful[] = [];
    for (const [what, doubt] of Object.entries(DOUBTS)) {
      for (const isKept of [true, false]) {
        all.push({ what, isKept, url: await listening((onArrival) => doubtfulService(doubt, onArrival)) });
      }
    }
    return all;
  };

  const doubtful = { fetch: await doubtfulServices(), nodeTransport: await doubtfulServices() };
  const arrivalsUrl = await listening(() =>
    createServer((_request, response) => response.end(JSON.stringify(arrivals))),
  );
  const closed = createServer();
  const closedUrl = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  const untrusted = await listening((onArrival) =>
    createTlsServer(SELF_SIGNED, (_request, response) => {
      onArrival(1);
      response.end("{}");
    }),
  );
  arrivals[untrusted.replace("http:", "https:")] = arrivals[untrusted] ?? [];

  const silentSockets = new Set<Socket>();
  const silent = createTcpServer((socket) => {
    silentSockets.add(socket.on("error", () => {}).resume());
    socket.setTimeout(SILENT_MS, () => socket.destroy());
  });
  const silentUrl = (await listen(silent)).replace("http:", "https:");
  const sandbox = await startSandbox();
  const { baseUrl, secretKey, publicKey } = sandbox;
  const untrustedUrl = untrusted.replace("http:", "https:");
  const plainUrl = baseUrl.replace("http:", "https:");
  const urls = { closedUrl, untrustedUrl, silentUrl, plainUrl, arrivalsUrl };
  return {
    address: { baseUrl, secretKey, publicKey, ...urls, doubtful },
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      silent.close();
      for (const socket of silentSockets) socket.destroy();
      await sandbox.close();
    },
  };
}

function listen(server: TcpServer): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}
