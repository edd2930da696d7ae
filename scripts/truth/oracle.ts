import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { SELF_SIGNED } from "../../test/support/http-server.ts";
import { aCardData, envelope as anEnvelope, aPixData } from "../../test/support/service-responses.ts";
import type { Protocol } from "./scenarios.ts";

/**
 * A payment service that records what it charged, and for which attempt. It shares no code with the SDK or its sandbox,
 * because it checks both.
 */

/** Header that names the attempt (the call of the SDK) that a request belongs to. */
export const ATTEMPT_HEADER = "x-truth-attempt";

/** How the service handles one request. */
export interface Reply {
  /** How the exchange ends. A late response is sent after 80 ms. */
  readonly kind:
    | "response"
    | "late response"
    | "stall"
    | "partial response"
    | "close"
    | "reset"
    | "reset before reading";
  readonly isCharged: boolean;
  readonly status: number;
  readonly body: ReplyBody;
  /** What follows a complete response on the same connection. */
  readonly followedBy: "nothing" | "FIN" | "unnamed transaction" | "refusal" | "another order's transaction";
  /** Milliseconds before the response, and before an unsolicited second one. */
  readonly delay: number;
  /** Over HTTP/2: the code of a RST_STREAM or GOAWAY. */
  readonly errorCode: number;
}

export interface Charge {
  readonly id: number;
  readonly externalRef: string;
  readonly amount: number;
  /** Missing if another customer of the service was charged. */
  readonly attempt?: string;
}

/** Everything that the service did in a run. */
export class Ledger {
  readonly charges: Charge[] = [];
  /** How many requests each attempt sent. */
  readonly requests = new Map<string, number>();
  /** The replies to each attempt: to its first request, and to any later one. */
  readonly replies = new Map<string, readonly [Reply, Reply]>();
  /** Attempts with a malformed body, which the SDK must never send. */
  readonly malformed: string[] = [];

  charge(charge: Omit<Charge, "id">): Charge {
    const recorded = { id: 1_000 + this.charges.length, ...charge };
    this.charges.push(recorded);
    return recorded;
  }

  /** Charges a customer who is not part of this run. */
  chargeSomeoneElse(): Charge {
    return this.charge({ externalRef: `someone-else-${this.charges.length}`, amount: 7_700 });
  }
}

interface Order {
  readonly externalRef: string;
  readonly amount: number;
  readonly paymentMethod: string;
}

export interface Oracle {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the service on a new port, so that scenarios do not share connections. */
export async function startOracle(ledger: Ledger, protocol: Protocol): Promise<Oracle> {
  const server: Server = protocol === "HTTP/2" ? createHttp2Server(ledger) : createHttp1Server(ledger);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

function createHttp1Server(ledger: Ledger): Server {
  const server = createServer((request, response) => {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    serve(ledger, request, response).catch(() => response.destroy());
  });
  return server.on("clientError", (_error, socket) => socket.destroy());
}

/** Here streams end with RST_STREAM, and sessions with GOAWAY. */
function createHttp2Server(ledger: Ledger): Server {
  const server = createSecureServer(SELF_SIGNED);
  server.on("sessionError", () => undefined);
  return server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    serveStream(ledger, String(headers[ATTEMPT_HEADER]), stream).catch(() => stream.destroy());
  });
}

/** Records the beginning of a request, and returns the reply to it. */
function nextReply(ledger: Ledger, attempt: string): Reply {
  const earlier = ledger.requests.get(attempt) ?? 0;
  ledger.requests.set(attempt, earlier + 1);
  const replies = ledger.replies.get(attempt);
  if (replies === undefined) throw new Error(`There are no replies for ${attempt}.`);
  return replies[earlier === 0 ? 0 : 1];
}

/** Records a complete request, charges it as the reply says, and returns the body of the response. */
function charge(ledger: Ledger, attempt: string, reply: Reply, request: string): string {
  const order = parseOrder(request);
  if (order === undefined) ledger.malformed.push(attempt);
  const { externalRef, amount } = order ?? { externalRef: "", amount: 0 };
  const id = reply.isCharged ? ledger.charge({ externalRef, amount, attempt }).id : 0;
  return order === undefined ? REFUSAL : BODIES[reply.body](transaction(id, order), ledger);
}

async function serve(ledger: Ledger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const attempt = String(request.headers[ATTEMPT_HEADER]);
  const reply = nextReply(ledger, attempt);
  const { socket } = request;
  if (reply.kind === "reset before reading") {
    socket.resetAndDestroy();
    return;
  }
  const received = await text(request); // rejects if the request is incomplete: such a request charges nothing
  const body = charge(ledger, attempt, reply, received);

  await setTimeout(reply.kind === "late response" ? 80 : reply.delay);
  if (reply.kind === "reset") socket.resetAndDestroy();
  else if (reply.kind === "close") socket.end();
  else if (reply.kind === "partial response") {
    const half = body.slice(0, body.length * 0.6);
    response.writeHead(reply.status, { "content-length": body.length + 1 });
    response.write(half, () => (reply.delay % 2 === 0 ? socket.resetAndDestroy() : socket.end()));
  } else if (reply.kind !== "stall") await respond(ledger, reply, body, response);
}

async function serveStream(ledger: Ledger, attempt: string, stream: ServerHttp2Stream): Promise<void> {
  const reply = nextReply(ledger, attempt);
  if (reply.kind === "reset before reading") {
    stream.close(reply.errorCode);
    return;
  }
  const received = await text(stream); // rejects if the request is incomplete: such a request charges nothing
  const body = charge(ledger, attempt, reply, received);

  await setTimeout(reply.kind === "late response" ? 80 : reply.delay);
  if (stream.destroyed || reply.kind === "stall") return;
  if (reply.kind === "reset") stream.close(reply.errorCode);
  else if (reply.kind === "close") endSession(stream, reply);
  else if (reply.kind === "partial response") {
    // Without its length, only the code shows that the body is not complete.
    stream.respond(headersOf(reply, reply.delay % 3 === 2 ? body.length + 1 : undefined));
    stream.write(body.slice(0, 8 + 8 * reply.delay ** 2));
    await setTimeout(1); // the client gets it before the end
    if (reply.delay % 2 === 0) stream.close(reply.errorCode);
    else endSession(stream, reply);
  } else {
    stream.respond(headersOf(reply, Buffer.byteLength(body)));
    stream.end(body);
    if (reply.followedBy === "FIN") stream.session?.close();
  }
}

const headersOf = ({ status, body }: Reply, length: number | undefined) => ({
  ":status": status,
  "content-type": body === "html" ? "text/html" : "application/json",
  ...(length !== undefined && { "content-length": length }),
});

/** Sends GOAWAY, which may say that the stream was not processed, and closes the connection. */
function endSession({ session, id = 0 }: ServerHttp2Stream, { delay, errorCode }: Reply): void {
  if (session === undefined || session.destroyed) return;
  session.goaway(errorCode, delay % 4 < 2 ? id : Math.max(id - 2, 0));
  session.destroy();
}

/** How many bytes Node reads from a socket at once. */
const READ_SIZE = 65_536;

const warm = new WeakSet<Socket>();

async function respond(ledger: Ledger, reply: Reply, body: string, response: ServerResponse): Promise<void> {
  const { socket } = response;
  const type = reply.body === "html" ? "text/html" : "application/json";
  const second = unsolicited(ledger, reply);
  const isTogether = reply.followedBy === "unnamed transaction" || reply.followedBy === "refusal";
  response.sendDate = false;
  const headers = { "content-type": type, connection: "keep-alive" };
  if (isTogether && socket !== null && !warm.has(socket)) {
    // The first response on a connection is long, so that its receive window holds two of the next ones.
    warm.add(socket);
    const padded = body.padEnd(4 * READ_SIZE, " ");
    response.writeHead(reply.status, { ...headers, "content-length": padded.length }).end(padded);
    return;
  }
  if (isTogether) {
    // Both responses arrive at once, and the first fills one read. A client that sends its next request before it reads
    // more takes the second for the response to that request. One that waits for the event loop sees that it is too early.
    const lines = `content-type: ${type}\r\nconnection: keep-alive\r\ncontent-length: 65000\r\n\r\n`;
    const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines}`;
    const padded = body.padEnd(READ_SIZE - head.length, " ");
    response.writeHead(reply.status, { ...headers, "content-length": padded.length });
    socket?.cork();
    response.end(padded);
    socket?.write(second);
    process.nextTick(() => socket?.uncork());
    return;
  }
  response.writeHead(reply.status, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
  if (reply.followedBy === "FIN") socket?.end();
  if (second === "") return;
  await setTimeout(reply.delay);
  socket?.write(second);
}

/** An unsolicited response. Only the order that it names, or that it arrives too early, shows that it is one. */
function unsolicited(ledger: Ledger, reply: Reply): string {
  if (reply.followedBy === "refusal") return rawResponse("400 Bad Request", REFUSAL);
  if (reply.followedBy !== "unnamed transaction" && reply.followedBy !== "another order's transaction")
    return "";
  const { externalId, ...unnamed } = foreignTransaction(ledger);
  const data = reply.followedBy === "unnamed transaction" ? unnamed : { ...unnamed, externalId };
  return rawResponse("201 Created", envelope(data));
}

function rawResponse(status: string, body: string): string {
  const headers = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  return `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`;
}

function parseOrder(body: string): Order | undefined {
  try {
    const order: Order = JSON.parse(body);
    return typeof order.externalRef === "string" && Number.isInteger(order.amount) ? order : undefined;
  } catch {
    return undefined;
  }
}

const REFUSAL = JSON.stringify({ success: false, message: "Refused" });

type Data = Record<string, unknown>;

/** What the body of a response contains, and how it is made of the transaction of the request. */
const BODIES = {
  transaction: (data: Data) => envelope(data),
  "transaction over another amount": (data: Data) =>
    envelope({ ...data, amount: Number(data["amount"]) + 1 }),
  "transaction without externalId": (data: Data) => envelope({ ...data, externalId: undefined }),
  "transaction without its code": (data: Data) => envelope({ ...data, pix: undefined }),
  "transaction, truncated": (data: Data) => envelope(data).slice(0, -40),
  "another order's transaction": (_: Data, ledger: Ledger) => envelope(foreignTransaction(ledger)),
  "another order's transaction, truncated": (_: Data, ledger: Ledger) =>
    envelope(foreignTransaction(ledger)).slice(0, -40),
  "success: false with the transaction": (data: Data) =>
    JSON.stringify({ success: false, message: "Error", data }),
  "success: false": () => JSON.stringify({ success: false, message: "Error" }),
  "no id": (data: Data) => envelope({ ...data, id: undefined }),
  message: () => REFUSAL,
  html: () => "<!doctype html><title>Bad gateway</title>",
  empty: () => "",
};

export type ReplyBody = keyof typeof BODIES;

function foreignTransaction(ledger: Ledger): Data {
  const { id, externalRef, amount } = ledger.chargeSomeoneElse();
  return transaction(id, { externalRef, amount, paymentMethod: "pix" });
}

const envelope = (data: Data) => JSON.stringify(anEnvelope(data));

function transaction(id: number, { externalRef, amount, paymentMethod }: Order): Data {
  return (paymentMethod === "pix" ? aPixData : aCardData)({ id, amount, externalId: externalRef });
}
