import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { aPromise } from "../../../support/a-promise.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import type { Reachable } from "./clients.ts";

/** `before`: Redis never gets the command. `after`: it does, and nobody gets its answer. */
export type Moment = "before" | "after";

/** What stands between a client and Redis. */
export interface Proxy extends Reachable {
  /** Stops at the next command that writes. */
  readonly stopAt: (moment: Moment) => Stop;
}

export interface Stop {
  /** The moment has come. */
  readonly reached: Promise<void>;
  /** Cuts the connection that stands still. */
  readonly cut: () => void;
}

interface Watch {
  readonly moment: Moment;
  readonly reached: (both: readonly Socket[]) => void;
}

export async function startProxy(target: Reachable): Promise<Proxy> {
  const path = join(temporaryFolder(), "proxy.sock");
  const open = new Set<Socket>();
  let next: Watch | undefined;
  const server = createServer((client) => {
    const redis = connect(target.path);
    const both = [client, redis];
    let stopping: Watch | undefined;
    for (const socket of both) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        // Where Redis is dead, the client is not to hear of it before the test says so.
        if (stopping === undefined) for (const one of both) one.destroy();
      });
    }
    client.on("data", (data) => {
      if (next !== undefined && data.includes("redis.pcall('SET'")) {
        stopping = next;
        next = undefined;
        if (stopping.moment === "before") return stopping.reached(both);
      }
      redis.write(data);
    });
    redis.on("data", (data) => {
      if (stopping === undefined) client.write(data);
      else stopping.reached(both);
    });
  }).listen(path);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    path,
    stopAt: (moment) => {
      const { promise, resolve } = aPromise();
      let stopped: readonly Socket[] = [];
      next = {
        moment,
        reached: (both) => {
          stopped = both;
          resolve();
        },
      };
      return {
        reached: promise,
        cut: () => {
          for (const socket of stopped) socket.destroy();
        },
      };
    },
  };
}
