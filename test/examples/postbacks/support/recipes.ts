import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { PostbackUrlSigner } from "payments-sdk/postbacks";
import { createApp as createExpressApp } from "../../../../examples/postbacks/express.ts";
import { createApp as createFastifyApp } from "../../../../examples/postbacks/fastify.ts";
import { createApp as createHonoApp } from "../../../../examples/postbacks/hono.ts";
import { createApp as createNextApp, POST } from "../../../../examples/postbacks/next-route.ts";
import { createApp as createNodeApp } from "../../../../examples/postbacks/node-http.ts";
import type { settleOrder } from "../../../../examples/postbacks/settle-order.ts";
import { listen } from "../../../support/http-server.ts";
import { listenFastify } from "./listen.ts";
import { createNextServer } from "./next-server.ts";

/** What a test gives a recipe in the place of the shop's own. */
export interface Needs {
  readonly signer: PostbackUrlSigner;
  readonly onPostback: typeof settleOrder;
}

export interface Recipe {
  readonly name: string;
  /** The methods that a 405 names. */
  readonly allow: string | null;
  /** Starts the app on its own framework until the test ends, and gives its address. */
  readonly start: (needs?: Needs) => Promise<string>;
}

export const EXPRESS: Recipe = {
  name: "express.ts",
  allow: "POST",
  start: (needs) => listen(createServer(createExpressApp(needs))),
};

export const FASTIFY: Recipe = {
  name: "fastify.ts",
  allow: "POST",
  start: (needs) => listenFastify(createFastifyApp(needs)),
};

export const HONO: Recipe = {
  name: "hono.ts",
  allow: "POST",
  start(needs) {
    // What it puts in the place of Request and Response would serve the other recipes, too.
    const listener = getRequestListener(createHonoApp(needs).fetch, { overrideGlobalObjects: false });
    return listen(createServer(listener));
  },
};

export const NEXT: Recipe = {
  name: "next-route.ts",
  allow: null, // the answer is Next's own
  start: (needs) => listen(createNextServer("/postbacks", needs ? createNextApp(needs) : { POST })),
};

export const NODE_HTTP: Recipe = {
  name: "node-http.ts",
  allow: "POST",
  start: (needs) => listen(createNodeApp(needs)),
};
