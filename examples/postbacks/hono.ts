/** Postbacks in a Hono app, on Node or another runtime. */
import { Hono } from "hono";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type PostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

/**
 * @param secret - `PAYMENTS_POSTBACK_SECRET`; `openssl rand -base64 32` makes one.
 * @param store - Of the client, such as `postgresStore(pool)`.
 * @param ship - Releases the goods of an order, once. What throws runs again. Call it too if `createCard` returns `approved`.
 */
export function createApp(
  secret: string,
  store: PaymentsStore,
  ship: (externalRef: string) => unknown,
): { app: Hono; postbacks: PostbackHandler } {
  // The client that creates the orders has the same signer and the same store:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer, idempotency: store })
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef = "" }) => ship(externalRef),
    onReview: ({ externalRef }, { reason }) =>
      console.warn(`Order ${externalRef} needs a person: ${reason}.`),
  });

  const app = new Hono();
  // The handler sends the response: 200 after the callback, 405 to a GET.
  app.all("/postbacks", (context) => postbacks.fetch(context.req.raw));
  return { app, postbacks };
}

// On Node, with @hono/node-server:
// const server = createAdaptorServer({ fetch: app.fetch });
// retryUntilClosed(server, postbacks); // of retry-until-closed.ts
// server.listen(3000, "127.0.0.1"); // in a container: "0.0.0.0"
//
// On Cloudflare Workers, create both in each request: see docs/workers.md.
