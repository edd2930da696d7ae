import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { type ShopView, shopTests } from "payments-sdk/testing";
import { beforeAll, describe, test, vi } from "vitest";
import { createApp as createExpressApp } from "../../../examples/postbacks/express.ts";
import { createApp as createFastifyApp } from "../../../examples/postbacks/fastify.ts";
import { createApp as createHonoApp } from "../../../examples/postbacks/hono.ts";
import { createApp as createNodeApp } from "../../../examples/postbacks/node-http.ts";
import { retryUntilClosed } from "../../../examples/postbacks/retry-until-closed.ts";
import { KEYS, RightShop, startShop } from "../../testing/support/shop.ts";

const [{ secret }] = KEYS;

vi.setConfig({ maxConcurrency: 20 }); // a shop mostly waits

beforeAll(() => {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", secret);
  for (const method of ["warn", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => void vi.unstubAllEnvs();
});

const isReturned = (status?: string) => status === "refunded" || status === "chargedback";

type Ship = (externalRef: string) => unknown;

async function serveFastify(store: PaymentsStore, ship: Ship): Promise<Server> {
  const app = createFastifyApp(store, ship);
  await app.ready();
  return app.server;
}

function serveHono(store: PaymentsStore, ship: Ship): Server {
  const { app, postbacks } = createHonoApp(secret, store, ship);
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  retryUntilClosed(server, postbacks);
  return server;
}

/** A right shop whose postbacks the recipe receives. */
describe.concurrent.each<[string, (store: PaymentsStore, ship: Ship) => Server | Promise<Server>]>([
  ["express", createExpressApp],
  ["fastify", serveFastify],
  ["hono", serveHono],
  ["node-http", createNodeApp],
])("a shop with the recipe %s", (_name, createApp) => {
  class RecipeShop extends RightShop {
    override createServer() {
      return createApp(this.store, (externalRef) => this.ship(externalRef));
    }

    /** The store knows of refunds. */
    override async view(id: string): Promise<ShopView> {
      const { transaction } = (await this.store.get(id)) ?? {};
      return isReturned(transaction?.status) ? "waiting" : super.view(id);
    }
  }
  for (const { name, run } of shopTests({
    start: (service) => startShop(RecipeShop, service),
    timeoutMs: 10_000,
  })) {
    test(name, run);
  }
});
