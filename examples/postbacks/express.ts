/** Takes postbacks in an app of Express 5. */
import express, { type Express } from "express";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { settleOrder } from "./settle-order.ts";
import { signerFromEnv } from "./signer-from-env.ts";

export function createApp({ signer = signerFromEnv(), onPostback = settleOrder } = {}): Express {
  const postbacks = createPostbackHandler({ signer, onPostback });
  const app = express();

  // Before express.json(), so that the handler reads the body itself, with a limit and a deadline of its own.
  // It answers by itself, too: 200 once the order is settled; `all`, so that a probe with GET is told 405.
  app.all("/postbacks", postbacks.node);

  app.use(express.json());
  app.post("/carts", (request, response) => {
    response.status(201).json({ cart: request.body });
  });

  return app;
}

// createApp().listen(3000);
