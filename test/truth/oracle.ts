import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

/**
 * A payment service that records what it charged, and for which attempt. It shares no code with the SDK or its sandbox,
 * because it checks both.
 */

/** Header that names the attempt (the call of the SDK) that a request belongs to. */
export const ATTEMPT_HEADER = "x-truth-attempt";

/** What the body of a response contains. */
export type ReplyBody =
  | "transaction"
  | "transaction over another amount"
  | "transaction without externalId"
  | "transaction without its code"
  | "transaction, truncated"
  | "another order's transaction"
  | "another order's transaction, truncated"
  | "success: false with the transaction"
  | "success: false"
  | "no id"
  | "message"
  | "html"
  | "empty";

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
export async function startOracle(ledger: Ledger): Promise<Oracle> {
  const server = createServer((request, response) => {
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    serve(ledger, request, response).catch(() => response.destroy());
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { port, close };
}

/** Records the beginning of a request, and returns the reply to it. */
export function nextReply(ledger: Ledger, attempt: string): Reply {
  const earlier = ledger.requests.get(attempt) ?? 0;
  ledger.requests.set(attempt, earlier + 1);
  const replies = ledger.replies.get(attempt);
  if (replies === undefined) throw new Error(`There are no replies for ${attempt}.`);
  return replies[earlier === 0 ? 0 : 1];
}

/** Records a complete request, charges it as the reply says, and returns the body of the response. */
export function charge(ledger: Ledger, attempt: string, reply: Reply, request: string): string {
  const order = parseOrder(request);
  if (order === undefined) ledger.malformed.push(attempt);
  const { externalRef, amount } = order ?? { externalRef: "", amount: 0 };
  const id = reply.isCharged ? ledger.charge({ externalRef, amount, attempt }).id : 0;
  return bodyOf(ledger, reply, order, id);
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
    const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines(headers)}content-length: 65000\r\n\r\n`;
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

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** An unsolicited response. Only the order that it names, or that it arrives too early, shows that it is one. */
function unsolicited(ledger: Ledger, reply: Reply): string {
  if (reply.followedBy === "refusal") return rawResponse("400 Bad Request", REFUSAL);
  if (reply.followedBy !== "unnamed transaction" && reply.followedBy !== "another order's transaction")
    return "";
  const { id, externalRef, amount } = ledger.chargeSomeoneElse();
  const order = { externalRef, amount, paymentMethod: "pix" };
  const { externalId, ...unnamed } = transaction(id, order);
  return rawResponse(
    "201 Created",
    envelope(reply.followedBy === "unnamed transaction" ? unnamed : { ...unnamed, externalId }),
  );
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

function bodyOf(ledger: Ledger, { body }: Reply, order: Order | undefined, id: number): string {
  if (order === undefined || body === "message") return REFUSAL;
  const own = transaction(id, order);
  switch (body) {
    case "transaction":
      return envelope(own);
    case "transaction over another amount":
      return envelope({ ...own, amount: order.amount + 1 });
    case "transaction without externalId":
      return envelope({ ...own, externalId: undefined });
    case "transaction without its code":
      return envelope({ ...own, pix: undefined });
    case "transaction, truncated":
      return envelope(own).slice(0, -40);
    case "another order's transaction":
      return envelope(foreignTransaction(ledger));
    case "another order's transaction, truncated":
      return envelope(foreignTransaction(ledger)).slice(0, -40);
    case "success: false with the transaction":
      return JSON.stringify({ success: false, message: "Error", data: own });
    case "success: false":
      return JSON.stringify({ success: false, message: "Error" });
    case "no id":
      return envelope({ ...own, id: undefined });
    case "html":
      return "<!doctype html><title>Bad gateway</title>";
    case "empty":
      return "";
  }
}

function foreignTransaction(ledger: Ledger): Record<string, unknown> {
  const { id, externalRef, amount } = ledger.chargeSomeoneElse();
  return transaction(id, { externalRef, amount, paymentMethod: "pix" });
}

function envelope(data: unknown): string {
  return JSON.stringify({ success: true, message: "Transaction created", status: 201, data });
}

function transaction(id: number, { externalRef, amount, paymentMethod }: Order): Record<string, unknown> {
  const isPix = paymentMethod === "pix";
  return {
    id,
    externalId: externalRef,
    status: isPix ? "pending" : "approved",
    amount,
    companyId: 7,
    installments: 1,
    refusedAmount: 0,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod,
    acquirerType: "acme",
    secureId: "sec-1",
    secureUrl: "https://pay.example/sec-1",
    traceable: true,
    fees: 99,
    pix: isPix
      ? { qrcode: "data:image/png;base64,AAAA", qrcodeText: "000201", expirationDate: LATER }
      : undefined,
    createdAt: "2026-11-20T12:00:00.000Z",
  };
}

const LATER = "2027-11-20T12:00:00.000Z";
