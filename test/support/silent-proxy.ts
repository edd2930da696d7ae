import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to a server, on a port of 127.0.0.1. */
export interface SilentProxy {
  readonly port: number;
  /** From now on it passes nothing on, and ends no connection: like a firewall that forgot them. */
  silence(): void;
  /** Passes new connections on. Those that it forgot stay dead. */
  revive(): void;
  stop(): void;
}

/** @param target - The path of a socket, or a port. */
export async function startSilentProxy(target: string | number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let forgotten = new WeakSet<Socket>();
  let isSilent = false;
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on("error", () => undefined);
    from.on("data", (data) => void (forgotten.has(from) || to.write(data)));
    from.on("close", () => {
      sockets.delete(from);
      if (!forgotten.has(from)) to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = typeof target === "string" ? connect(target) : connect(target, "127.0.0.1");
    pass(client, upstream);
    pass(upstream, client);
    if (isSilent) forgotten.add(client).add(upstream);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
      forgotten = new WeakSet(sockets);
    },
    revive() {
      isSilent = false;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
