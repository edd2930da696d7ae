import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";

/** Lets a server listen until the test ends, and gives its address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The same for an app of Fastify, which has a server of its own. */
export async function listenFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}
