// The service of a soak, in a process of its own: behaves as its phase says, and counts what it charges.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { BEHAVIOURS } from "./behaviour.ts";
import { Charges } from "./charges.ts";
import { PHASES, type Phase, type Plan } from "./plan.ts";
import { randomFrom } from "./random.ts";

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const random = randomFrom(1);
const charges = new Charges();
let phase: Phase = "healthy";
let open = 0;

const service = createServer({ keepAliveTimeout: plan.serverIdleMs }, (request, response) => {
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  if (phase === "failing" && random() < 0.1) {
    request.socket.resetAndDestroy(); // before the body was read
    return;
  }
  text(request).then(
    (body) => {
      const ways = BEHAVIOURS[phase];
      const way = ways[Math.floor(random() * ways.length)];
      way?.({ request, response, body, charges, patience: plan.timeout });
    },
    () => undefined, // the client has gone
  );
});
service.on("connection", (socket) => {
  open += 1;
  socket.on("error", () => undefined);
  // One that never had a request: Node would leave it open for a minute.
  if (plan.serverIdleMs > 0) socket.setTimeout(4 * plan.serverIdleMs, () => socket.destroy());
  socket.on("close", () => {
    open -= 1;
  });
});
const { port } = await listen(service, 0);

const control = createServer(async (request, response) => {
  response.end(JSON.stringify(await obey(request)));
});
const controlled = await listen(control, 0);

process.on("disconnect", () => process.exit()); // nobody is left who needs it
process.send?.({
  baseUrl: `http://127.0.0.1:${port}`,
  controlUrl: `http://127.0.0.1:${controlled.port}`,
});

async function obey(request: IncomingMessage): Promise<unknown> {
  const body: unknown = JSON.parse(await text(request));
  switch (request.url) {
    case "/phase":
      return enter(PHASES.find((known) => known === body) ?? "healthy");
    case "/ids":
      return charges.idsOf(body as readonly string[]);
    default:
      return { open, charges: charges.count, twice: charges.twice };
  }
}

async function enter(next: Phase): Promise<Phase> {
  phase = next;
  if (next === "refusing") {
    service.close();
    service.closeAllConnections();
  } else if (!service.listening) {
    await listen(service, port);
  }
  return next;
}

async function listen(server: typeof service, at: number): Promise<AddressInfo> {
  server.listen(at, "127.0.0.1");
  await once(server, "listening");
  return server.address() as AddressInfo;
}
