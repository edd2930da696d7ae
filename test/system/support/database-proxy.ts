import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { aGate } from "../../support/http-server.ts";

/** `before`: the database never receives the statement. `after`: it does, but its reply is lost. */
export type Moment = "before" | "after";

/** A stopped connection. */
interface Stop {
  /** Resolves at the moment. */
  readonly reached: Promise<void>;
  readonly cut: () => void;
}

interface Watch {
  readonly moment: Moment;
  readonly reached: (both: readonly Socket[]) => void;
}

/** For Redis an argument of the scripts that write, which are sent by their hashes. */
const WRITE = /\r\n(?:claim|end)\r\n|INSERT INTO payments_|UPDATE payments_/;

/** A proxy between a client and a database: listens at one socket path, and connects to another. */
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
        // If the database was killed, the client must not notice it before the test cuts the connection.
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
      const { passed: promise, open: resolve } = aGate();
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
