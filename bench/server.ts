// The service of the benchmarks, in a process of its own: for each kind of order a port that answers whatever is asked.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { anAnswer, KINDS, type Kind } from "./support/orders.ts";

const entries = await Promise.all(KINDS.map(async (kind) => [kind, await listen(kind)] as const));
process.on("disconnect", () => process.exit());
process.send?.(Object.fromEntries(entries));

async function listen(kind: Kind): Promise<string> {
  const body = Buffer.from(JSON.stringify(anAnswer(kind)));
  const head = { "content-type": "application/json", "content-length": body.length };
  const server: Server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(201, head).end(body));
  });
  server.keepAliveTimeout = 60_000; // the benchmarks leave clients idle on purpose
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
