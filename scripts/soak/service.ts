// The process of the payment service: the sandbox, which writes down what it charged, and the customers who pay.
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { createGateway, FAULT_KINDS, type Gateway } from "payments-sdk/sandbox";
import { onTask } from "../../bench/helpers.ts";
import { fateOf, isInFaults, type ServiceAddress, type ServiceSettings, type ServiceTask } from "./plan.ts";

/** A gateway keeps everything in memory: it is replaced this often, and closed once all of its orders have ended. */
const GATEWAY_MS = 30_000;
/** The service decides then what has become of a pix that no one has paid. */
const LOST_MS = 30_000;
/** No one pays a pix that is older: it was replaced. */
const FORGOTTEN_MS = 90_000;
const SETTLE_MS = 90_000;
/** How often faults are added while the service fails, and the share of calls that they affect. */
const FAULTS_EVERY_MS = 100;
const FAULT_SHARE = 0.2;
/** The port is closed instead. */
const KINDS = FAULT_KINDS.filter((kind) => kind !== "refused_connection");
const CLOSED_MS = 1_000;

interface Charge {
  readonly id: number;
  readonly externalRef: string;
  readonly gateway: Gateway;
  /** The create call that sent it. */
  readonly call: string;
  readonly since: number;
  status: string;
}

const { journal, rate, startedAt } = JSON.parse(process.argv[2] ?? "") as ServiceSettings;
const file = openSync(journal, "a");
const gateways: Gateway[] = [];
const charges = new Map<string, Charge[]>();
let shops: readonly string[] = [];

const note = (entry: "charged" | "paid" | "ended", { externalRef, id, call }: Charge) =>
  writeSync(file, `${entry}\t${externalRef}\t${id}\t${Date.now()}\t${call}\n`);

function openGateway(): Gateway {
  const gateway = createGateway({
    postbacks: { duplicates: 1, retries: 6, fetch: deliver },
    baseUrl: "http://127.0.0.1",
  });
  gateway.subscribe((change) => {
    if (change.type !== "transaction") return;
    const { id, externalId: externalRef = "", status, metadata = "{}" } = change.transaction;
    const known = charges.get(externalRef)?.find((charge) => charge.id === id);
    if (known?.status === status || status === "refused") return;
    const { call } = JSON.parse(metadata);
    const charge = known ?? { id, externalRef, gateway, call, since: Date.now(), status };
    charge.status = status;
    if (known === undefined) charges.set(externalRef, [...(charges.get(externalRef) ?? []), charge]);
    note(known === undefined ? "charged" : status === "approved" ? "paid" : "ended", charge);
  });
  gateways.unshift(gateway);
  return gateway;
}

/** Sends a postback to any shop, like a load balancer. A shop that is down gets it again later, or another one does. */
async function deliver(url: string, init: RequestInit): Promise<Response> {
  const shop = shops[Math.floor(Math.random() * shops.length)];
  return fetch(shop + new URL(url).search, init);
}

/** Customers pay the codes that they were shown. */
function pay(shown: readonly (readonly [string, number])[]): void {
  for (const [externalRef, id] of shown) {
    const charge = charges.get(externalRef)?.find((one) => one.id === id);
    if (charge?.status === "pending") charge.gateway.pay(id);
  }
}

/** Whether a pix may still be paid or expire. */
function isUndecided({ externalRef, since, status }: Charge): boolean {
  const isForgotten = fateOf(externalRef) === "replaced" && Date.now() - since > FORGOTTEN_MS;
  return status === "pending" && !isForgotten;
}

/** Decides about each pix that no one has paid for a while, and closes the gateways that are no longer needed. */
function decide(): void {
  const needed = new Set(gateways.slice(0, 2));
  for (const charge of [...charges.values()].flat().filter(isUndecided)) {
    const { id, externalRef, gateway, since } = charge;
    needed.add(gateway);
    const fate = fateOf(externalRef);
    if (fate === "replaced" || Date.now() - since < LOST_MS) continue;
    if (fate === "paid") gateway.pay(id);
    else gateway.expire(id);
  }
  for (const gateway of [...gateways]) {
    const isDelivered = gateway.deliveries.every(({ status }) => status === "delivered");
    if (!needed.has(gateway) && isDelivered) closeGateway(gateway);
  }
}

function closeGateway(gateway: Gateway): void {
  gateway.close();
  gateways.splice(gateways.indexOf(gateway), 1);
  for (const [externalRef, ofOrder] of charges) {
    const others = ofOrder.filter((charge) => charge.gateway !== gateway);
    if (others.length === 0) charges.delete(externalRef);
    else if (others.length < ofOrder.length) charges.set(externalRef, others);
  }
}

/** Waits until every pix that will be paid or expire has done so, and every postback was accepted. */
async function settle(): Promise<{ readonly undelivered: number }> {
  const end = Date.now() + SETTLE_MS;
  while (true) {
    decide();
    const deliveries = gateways.flatMap((gateway) => gateway.deliveries);
    const undelivered = deliveries.filter(({ status }) => status !== "delivered").length;
    const undecided = [...charges.values()].flat().filter(isUndecided);
    const isSettled =
      undelivered === 0 && undecided.every(({ externalRef }) => fateOf(externalRef) === "replaced");
    if (isSettled || Date.now() > end) return { undelivered };
    await pause(500);
  }
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const since = performance.now();
  const body = await buffer(request).catch(() => undefined);
  if (body === undefined) return void response.destroy(); // its sender was killed
  if (request.url === "/customers/pay") {
    pay(JSON.parse(body.toString()));
    return void response.end();
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const reply = await (gateways[0] ?? openGateway()).fetch(`http://127.0.0.1${request.url}`, {
      method: "POST",
      headers: {
        authorization: request.headers.authorization ?? "",
        "content-type": "application/json",
      },
      body: new Uint8Array(body),
      signal: gone.signal,
    });
    const headers = Object.fromEntries(reply.headers);
    response.writeHead(reply.status, { ...headers, "x-service-ms": (performance.now() - since).toFixed(1) });
    for await (const chunk of reply.body ?? []) response.write(chunk); // may stop in the middle
    response.end();
  } catch {
    request.socket.resetAndDestroy(); // a fault, or a client that has disconnected
  }
}

const server = createServer((request, response) => void handle(request, response));

/** Closes the port for a second. What is in flight ends normally. */
async function refuseConnections(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  server.close();
  server.closeIdleConnections();
  await pause(CLOSED_MS);
  server.listen(port, "127.0.0.1");
}

let ticks = 0;
function addFaults(): void {
  const wasInFaults = ticks > 0;
  ticks = isInFaults(startedAt) ? ticks + 1 : 0;
  if (ticks === 0 && wasInFaults) for (const { faults } of gateways) faults.clear();
  if (ticks === 50) void refuseConnections();
  const [gateway] = gateways;
  const kind = KINDS[ticks % KINDS.length];
  const times = Math.max(1, Math.round((rate * FAULTS_EVERY_MS * FAULT_SHARE) / 1000));
  if (ticks > 0 && kind !== undefined) gateway?.faults.add({ on: "transactions.create", kind, times });
}

onTask(async (task: ServiceTask) => {
  if (task === "settle") return settle();
  if (task !== "start") {
    shops = task.shops;
    return undefined;
  }
  const { secretKey, publicKey } = openGateway();
  setInterval(openGateway, GATEWAY_MS);
  setInterval(decide, 5_000);
  setInterval(addFaults, FAULTS_EVERY_MS);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, secretKey, publicKey } satisfies ServiceAddress;
});
