import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createDeferred } from "../../../support/deferred.ts";

/** `before`: the database never gets the statement. `after`: it does, and nobody gets its reply. */
export type Moment = "before" | "after";

/** A connection that stands still. */
interface Stop {
  /** The moment has come. */
  readonly reached: Promise<void>;
  readonly cut: () => void;
}

interface Watch {
  readonly moment: Moment;
  readonly reached: (both: readonly Socket[]) => void;
}

const WRITE = /redis\.pcall\('SET'|INSERT INTO payments_|UPDATE payments_/;

/** Stands between a client and a database: it listens at one path of a socket, and leads to another. */
export async function startProxy(path: string, target: string): Promise<{ stopAt(moment: Moment): Stop }> {
  const open = new Set<Socket>();
  let next: Watch | undefined;
  const server = createServer((client) => {
    const database = connect(target);
    const both = [client, database];
    let stopping: Watch | undefined;
    for (const socket of both) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        // If the database is dead, the client is not to hear of it before the test says so.
        if (stopping === undefined) for (const one of both) one.destroy();
      });
    }
    client.on("data", (data) => {
      if (next !== undefined && WRITE.test(data.toString("latin1"))) {
        stopping = next;
        next = undefined;
        if (stopping.moment === "before") return stopping.reached(both);
      }
      database.write(data);
    });
    database.on("data", (data) => {
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
    stopAt: (moment) => {
      const { promise, resolve } = createDeferred();
      let stopped: readonly Socket[] = [];
      const reached = (both: readonly Socket[]) => {
        stopped = both;
        resolve();
      };
      next = { moment, reached };
      return { reached: promise, cut: () => stopped.forEach((socket) => void socket.destroy()) };
    },
  };
}
