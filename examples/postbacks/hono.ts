/** Postbacks in a Hono app, on Node or another runtime. */
import { Hono } from "hono";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

/** @param secret - `PAYMENTS_POSTBACK_SECRET`; `openssl rand -base64 32` makes one. */
export function createApp(secret: string): Hono {
  // The client that creates the orders has the same signer:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer })
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const postbacks = createPostbackHandler({
    signer, // and a `store` that lasts, such as postgresStore(pool)
    // Change the order in your database here. What throws runs again.
    onPaid: ({ externalRef, status }) => console.log(`Order ${externalRef} is ${status}.`),
    onReview: ({ externalRef }, { reason }) =>
      console.warn(`Order ${externalRef} needs a person: ${reason}.`),
  });

  const app = new Hono();
  // The handler sends the response: 200 after the callback, 405 to a GET.
  app.all("/postbacks", (context) => postbacks.fetch(context.req.raw));

  app.post("/carts", async (context) => context.json({ cart: await context.req.json() }, 201));
  return app;
}

// serve({ fetch: createApp(process.env["PAYMENTS_POSTBACK_SECRET"] ?? "").fetch, port: 3000 }); // @hono/node-server
