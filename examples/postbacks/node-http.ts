/** Postbacks with only `node:http`. */
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { retryUntilClosed } from "./retry-until-closed.ts";

export function createApp(): Server {
  // `openssl rand -base64 32` makes the secret. The client that creates the orders has the same signer:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer })
  const secret = process.env["PAYMENTS_POSTBACK_SECRET"] ?? "";
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const postbacks = createPostbackHandler({
    signer, // and a `store` that lasts, such as sqliteStore("payments.db")
    // Change the order in your database here. What throws runs again.
    onPaid: ({ externalRef, status }) => console.log(`Order ${externalRef} is ${status}.`),
    onReview: ({ externalRef }, { reason }) =>
      console.warn(`Order ${externalRef} needs a person: ${reason}.`),
  });

  const server = createServer(async (request, response) => {
    const [path] = request.url?.split("?") ?? []; // the signature is in the query
    if (path === "/postbacks") {
      // Reads the body, sends the response, and never rejects: 200 after the callback, 405 to a GET.
      await postbacks.node(request, response);
    } else if (path === "/carts" && request.method === "POST") {
      const cart = await json(request).catch(() => undefined);
      response.writeHead(cart === undefined ? 400 : 201, { "content-type": "application/json" });
      response.end(JSON.stringify({ cart }));
    } else {
      response.writeHead(404).end();
    }
  });
  retryUntilClosed(server, postbacks); // and close the store at its end
  return server;
}

// const server = createApp().listen(3000);
// process.once("SIGTERM", () => server.close());
