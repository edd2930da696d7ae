/** Takes postbacks in an app of Hono, on Node and on every other runtime. */
import { Hono } from "hono";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { settleOrder } from "./settle-order.ts";
import { signerFromEnv } from "./signer-from-env.ts";

export function createApp({ signer = signerFromEnv(), onPostback = settleOrder } = {}): Hono {
  const postbacks = createPostbackHandler({ signer, onPostback });
  const app = new Hono();

  // The handler answers by itself: 200 once the order is settled; `all`, so that a probe with GET is told 405.
  app.all("/postbacks", (context) => postbacks.fetch(context.req.raw));

  app.post("/carts", async (context) => context.json({ cart: await context.req.json() }, 201));

  return app;
}

// serve({ fetch: createApp().fetch, port: 3000 }); // of @hono/node-server
