import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on this machine that receives postbacks. Only a sandbox on the same machine can reach it. */
export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** @param port - Default: any free port. */
export async function listen(handler: RequestListener, port = 0): Promise<Receiver> {
  const server = createServer(handler).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections(); // the sender keeps one open
      await closed;
    },
  };
}
