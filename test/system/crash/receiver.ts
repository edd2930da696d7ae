import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type PostbackUrlSigner } from "payments-sdk/postbacks";

/** Where the merchant takes postbacks. */
export interface Receiver {
  readonly postbackUrl: string;
  close(): void;
}

export async function startReceiver(
  signer: PostbackUrlSigner,
  store: PaymentsStore | undefined,
): Promise<Receiver> {
  const handler = createPostbackHandler({ signer, store, onPostback: () => undefined });
  const server = createServer(handler.node).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { postbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`, close };
}
