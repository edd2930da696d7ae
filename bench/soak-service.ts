// The service of `soak.ts`, in a process of its own: it behaves as its phase says, and knows what it charged.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTask } from "./helpers.ts";
import { anAnswer } from "./order.ts";

/** Milliseconds of each phase of a cycle. */
export const PHASES = {
  healthy: 2_100,
  slow: 900,
  failing: 1_100,
  leaving: 500,
  refusing: 500,
  recovering: 900,
};
type Phase = keyof typeof PHASES;
/** Milliseconds that the client waits for a response. */
export const TIMEOUT_MS = 400;

export interface Counts {
  readonly url: string;
  /** Connections. */
  readonly open: number;
  readonly charges: number;
  /** Charges of an order that was charged before. */
  readonly twice: number;
}

async function runService(): Promise<void> {
  const ids = new Map<string, number>();
  let [charges, twice, open] = [0, 0, 0];
  let phase: Phase = "healthy";

  /** Charges the customer, and returns the answer to the request. */
  function charge(body: string): string {
    const { externalRef } = JSON.parse(body) as { externalRef: string };
    charges += 1;
    if (ids.has(externalRef)) twice += 1;
    ids.set(externalRef, charges);
    return anAnswer("card", charges, externalRef);
  }

  const service = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    if (phase === "failing" && Math.random() < 0.1) return request.socket.resetAndDestroy(); // before reading
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // the client is gone
    const ways = BEHAVIOURS[phase];
    ways[Math.floor(Math.random() * ways.length)]?.({ request, response, charge: () => charge(body) });
  });
  service.on("connection", (socket) => {
    open += 1;
    socket.on("error", () => undefined).on("close", () => (open -= 1));
  });
  const listen = (port: number) => once(service.listen(port, "127.0.0.1"), "listening");
  await listen(0);
  const { port } = service.address() as AddressInfo;

  onTask(async (task: { readonly phase?: Phase; readonly idsOf?: readonly string[] }) => {
    if (task.idsOf) return new Map(task.idsOf.flatMap((ref) => (ids.has(ref) ? [[ref, ids.get(ref)]] : [])));
    phase = task.phase ?? phase;
    if (phase === "refusing") service.close().closeAllConnections();
    else if (!service.listening) await listen(port);
    return { url: `http://127.0.0.1:${port}`, open, charges, twice };
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly charge: () => string;
}

const approve = ({ response, charge }: Exchange) => response.writeHead(201).end(charge());

const approveAfter = (delay: number) => {
  return ({ response, charge }: Exchange) => {
    const answer = charge();
    setTimeout(() => response.writeHead(201).end(answer), delay);
  };
};

const refuse = (status: number) => {
  return ({ response }: Exchange) => response.writeHead(status).end('{"success":false,"message":"Later"}');
};

/** What may become of a request in each phase, with equal probability. */
const BEHAVIOURS: Readonly<Record<Phase, readonly ((exchange: Exchange) => void)[]>> = {
  healthy: [approve],
  slow: [
    approveAfter(1.3 * TIMEOUT_MS),
    ({ response, charge }) => {
      const answer = charge();
      response.writeHead(201).write(answer.slice(0, 100));
      setTimeout(() => response.end(answer.slice(100)), 1.3 * TIMEOUT_MS);
    },
  ],
  failing: [
    refuse(503),
    refuse(429),
    (exchange) => {
      exchange.charge();
      refuse(503)(exchange);
    },
    ({ request, charge }) => {
      charge();
      request.socket.resetAndDestroy();
    },
    ({ request, charge }) => {
      charge();
      request.socket.end("HTTP/1.1 201 Created\r\ncontent-ty");
    },
    ({ request, response, charge }) => {
      response.writeHead(201).write(charge().slice(0, 100), () => request.socket.resetAndDestroy());
    },
    ({ response, charge }) => response.writeHead(201).end(charge().slice(0, -100)),
    ({ request }) => request.socket.end(),
  ],
  leaving: [
    approve,
    (exchange) => {
      approve(exchange);
      setTimeout(() => exchange.request.socket.end(), 10 * Math.random()); // the next request may be in flight
    },
  ],
  refusing: [approve], // requests that arrived before the port was closed
  recovering: [approve, approve, approveAfter(TIMEOUT_MS / 4), refuse(503)],
};

// `soak.ts` imports the constants; only as the main module of a process is it the service.
if (import.meta.main) await runService();
