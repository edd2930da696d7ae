/** Postbacks in an Express 5 app. */
import { createServer, type Server } from "node:http";
import express from "express";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { retryUntilClosed } from "./retry-until-closed.ts";

/**
 * @param store - Of the client, such as `sqliteStore("/var/lib/shop/payments.db")`.
 * @param ship - Releases the goods of an order, once. What throws runs again. Call it too if `createCard` returns `approved`.
 */
export function createApp(store: PaymentsStore, ship: (externalRef: string) => unknown): Server {
  // `openssl rand -base64 32` makes the secret. The client that creates the orders has the same signer and store:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer, idempotency: store })
  const secret = process.env["PAYMENTS_POSTBACK_SECRET"] ?? "";
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef = "" }) => ship(externalRef),
    onReview: ({ externalRef }, { reason }) =>
      console.warn(`Order ${externalRef} needs a person: ${reason}.`),
  });

  const app = express();
  // Before express.json(), so that the handler reads the body itself, with its own limit and deadline.
  // It also sends the response: 200 after the callback, 405 to a GET.
  app.all("/postbacks", postbacks.node);

  app.use(express.json());
  app.post("/carts", (request, response) => {
    response.status(201).json({ cart: request.body });
  });

  const server = createServer(app);
  retryUntilClosed(server, postbacks); // and close the store at its end
  return server;
}

// const server = createApp(store, ship).listen(3000, "127.0.0.1"); // in a container: "0.0.0.0"
// process.once("SIGTERM", () => server.close());
