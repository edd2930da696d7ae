import { Socket } from "node:net";
import { expect, test } from "vitest";
import { ConnectionPool } from "../../src/transport/connection-pool.ts";
import type { SocketMaker } from "../../src/transport/socket-maker.ts";

test("who gives up waiting ends the connection that was begun last, and leaves the older ones to the others", () => {
  const begun: Socket[] = [];
  const maker: Pick<SocketMaker, "make"> = {
    make: (_address, onStarted) => {
      const socket = new Socket();
      begun.push(socket);
      onStarted(socket);
    },
  };
  const rules = { maxSockets: 8, idleTimeout: 1_000, connectTimeout: 1_000 };
  const pool = new ConnectionPool(maker as SocketMaker, { hostname: "127.0.0.1", port: 9 }, rules);
  const waiters = [1, 2, 3].map(() => ({ onConnection: () => undefined, onNoConnection: () => undefined }));
  for (const waiter of waiters) pool.wait(waiter);

  const [first, second, third] = waiters;
  if (first) pool.leave(first);
  const afterOne = begun.map(({ destroyed }) => destroyed);
  for (const waiter of [second, third]) if (waiter) pool.leave(waiter);

  expect(afterOne).toEqual([false, false, true]);
  expect(begun.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});
