/** Takes postbacks in an app of Fastify 5. */
import createFastify, { type FastifyInstance } from "fastify";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { settleOrder } from "./settle-order.ts";
import { signerFromEnv } from "./signer-from-env.ts";

export function createApp({ signer = signerFromEnv(), onPostback = settleOrder } = {}): FastifyInstance {
  const postbacks = createPostbackHandler({ signer, onPostback });
  const app = createFastify();

  // In a scope of its own, because it changes how bodies are read.
  app.register(async (scope) => {
    // Nothing is read here, so that the handler reads the body itself, whatever its type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));

    // It answers by itself, too: 200 once the order is settled; `all`, so that a probe with GET is told 405.
    scope.all("/postbacks", (request, reply) => {
      reply.hijack();
      return postbacks.node(request.raw, reply.raw);
    });
  });

  app.post("/carts", async (request, reply) => reply.code(201).send({ cart: request.body }));

  return app;
}

// await createApp().listen({ port: 3000 });
