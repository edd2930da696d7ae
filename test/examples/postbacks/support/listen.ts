import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";

/** Lets an app of Fastify, which has a server of its own, listen until the test ends, and gives its address. */
export async function listenFastify(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}
