/** Takes postbacks with nothing but Node's own server. */
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { settleOrder } from "./settle-order.ts";
import { signerFromEnv } from "./signer-from-env.ts";

export function createApp({ signer = signerFromEnv(), onPostback = settleOrder } = {}): Server {
  const postbacks = createPostbackHandler({ signer, onPostback });

  return createServer(async (request, response) => {
    const [path] = request.url?.split("?") ?? []; // the signature stands in the query
    if (path === "/postbacks") {
      // It reads the body and answers by itself, and never rejects: 200 once the order is settled.
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
