/** Postbacks with only `node:http`. */
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

export function createApp(): Server {
  // `openssl rand -base64 32` makes the secret. The client that creates the orders has the same signer:
  // new PaymentsClient({ postbackUrl: "https://shop.example.com/postbacks", postbackSigner: signer })
  const secret = process.env["PAYMENTS_POSTBACK_SECRET"] ?? "";
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

  const postbacks = createPostbackHandler({
    signer, // and a `store` that lasts, such as sqliteStore("payments.db")
    onPostback({ externalRef, status }, { transition, amountMatches }) {
      // Change the order in your database here: settle-order.ts shows what each status means.
      if (transition === "advance" && amountMatches) console.log(`Order ${externalRef} is ${status}.`);
    },
  });

  return createServer(async (request, response) => {
    const [path] = request.url?.split("?") ?? []; // the signature is in the query
    if (path === "/postbacks") {
      // Reads the body, sends the response, and never rejects: 200 after `onPostback`, 405 to a GET.
      await postbacks.node(request, response);
    } else if (path === "/carts" && request.method === "POST") {
      const cart = await json(request).catch(() => undefined);
      response.writeHead(cart === undefined ? 400 : 201, { "content-type": "application/json" });
      response.end(JSON.stringify({ cart }));
    } else {
      response.writeHead(404).end();
    }
  });
}

// createApp().listen(3000);
