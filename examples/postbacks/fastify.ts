/** Postbacks in a Fastify 5 app. */
import createFastify, { type FastifyInstance } from "fastify";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { retryUntilClosed } from "./retry-until-closed.ts";

/**
 * @param store - Of the client, such as `sqliteStore("/var/lib/shop/payments.db")`.
 * @param ship - Releases the goods of an order, once. What throws runs again. Call it too if `createCard` returns `approved`.
 */
export function createApp(store: PaymentsStore, ship: (externalRef: string) => unknown): FastifyInstance {
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

  const app = createFastify();
  // In its own scope, because it changes how bodies are read.
  app.register(async (scope) => {
    // Fastify reads nothing here, so that the handler reads the body itself, whatever its type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));

    // The handler also sends the response: 200 after the callback, 405 to a GET.
    scope.all("/postbacks", (request, reply) => {
      reply.hijack();
      return postbacks.node(request.raw, reply.raw);
    });
  });

  app.post("/carts", async (request, reply) => reply.code(201).send({ cart: request.body }));
  retryUntilClosed(app.server, postbacks); // and close the store at its end
  return app;
}

// const app = createApp(store, ship);
// await app.listen({ host: "127.0.0.1", port: 3000 }); // in a container: "0.0.0.0"
// process.once("SIGTERM", () => app.close());
