/** Postbacks with only `node:http`. */
import { createServer, type Server } from "node:http";
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

  const server = createServer(async (request, response) => {
    const [path] = request.url?.split("?") ?? []; // the signature is in the query
    if (path === "/postbacks") {
      // Reads the body, sends the response, and never rejects: 200 after the callback, 405 to a GET.
      await postbacks.node(request, response);
    } else {
      response.writeHead(404).end();
    }
  });
  retryUntilClosed(server, postbacks); // and close the store at its end
  return server;
}

// const server = createApp(store, ship).listen(3000, "127.0.0.1"); // in a container: "0.0.0.0"
// process.once("SIGTERM", () => server.close());
