import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { PostbackHandler } from "payments-sdk/postbacks";

/** A server on this machine that takes postbacks. A sandbox on the same machine can reach it. */
export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

/** How long a postback that is being taken may keep a receiver open. */
const LAST_ANSWER_MS = 1_000;

/** @param port - Default: any that is free. */
export async function listen({ node }: PostbackHandler, port = 0): Promise<Receiver> {
  const taken = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const taking = node(request, response).finally(() => taken.delete(taking));
    taken.add(taking);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${chosen}/postbacks`,
    async close() {
      const closed = once(server, "close");
      server.close();
      // Whose answer is lost sends again.
      await Promise.race([Promise.all(taken), pause(LAST_ANSWER_MS, undefined, { ref: false })]);
      server.closeAllConnections(); // the sender keeps one alive
      await closed;
    },
  };
}
