/// <reference types="node" />
import type { Socket } from "node:net";
import { Connection } from "./connection.ts";
import { type Opening, openSocket } from "./open-socket.ts";
import type { Address, SocketMaker } from "./socket-maker.ts";
import type { TransportRules } from "./transport-options.ts";

/** Who waits for a connection. Hears one of both, once, and not before `wait` has returned. */
export interface Waiter {
  readonly onConnection: (connection: Connection) => void;
  readonly onNoConnection: (error: Error) => void;
}

/** The connections to one host, and who waits for one. */
export class ConnectionPool {
  readonly maker: SocketMaker;
  readonly #address: Address;
  readonly #rules: TransportRules;
  /** Those that stand, and those on their way. */
  readonly #connections = new Set<Connection>();
  readonly #openings = new Set<Opening>();
  /** The one that rests for the shortest time is the last: the others get a chance to end. */
  readonly #resting: Connection[] = [];
  readonly #waiting = new Set<Waiter>();
  #isClosed = false;

  constructor(maker: SocketMaker, address: Address, rules: TransportRules) {
    this.maker = maker;
    this.#address = address;
    this.#rules = rules;
  }

  /** A connection that rests. */
  take(): Connection | undefined {
    for (let last = this.#resting.pop(); last !== undefined; last = this.#resting.pop()) {
      if (last.isUsable) return last;
      last.socket.destroy();
    }
    return undefined;
  }

  wait(waiter: Waiter): void {
    this.#waiting.add(waiter);
    this.#openMore();
  }

  leave(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    // The youngest first: the oldest is the nearest to its end.
    for (const opening of [...this.#openings].reverse()) {
      if (this.#openings.size <= this.#waiting.size) return;
      this.#openings.delete(opening);
      opening.cancel();
    }
  }

  /** Takes a connection back that serves nobody. Who waits gets another one in the place of one that is to end. */
  readonly release = (connection: Connection): void => {
    if (!this.#connections.has(connection)) return;
    if (connection.isUsable && connection.keepMs > 0) this.#giveOrKeep(connection);
    else connection.socket.destroy();
  };

  #giveOrKeep(connection: Connection): void {
    const waiter = this.#next();
    if (waiter !== undefined) waiter.onConnection(connection);
    else if (this.#isClosed) connection.socket.destroy();
    else {
      this.#resting.push(connection);
      connection.rest();
    }
  }

  /** Whether nobody would miss it. */
  get isUnused(): boolean {
    return this.#size + this.#waiting.size === 0;
  }

  close(): void {
    this.#isClosed = true;
    for (const { socket } of this.#resting.splice(0)) socket.destroy();
  }

  #openMore(): void {
    while (this.#openings.size < this.#waiting.size && this.#size < this.#rules.maxSockets) {
      const opening = openSocket(this.maker, this.#address, this.#rules.connectTimeout, {
        onReady: (socket) => {
          this.#openings.delete(opening);
          this.#add(socket);
        },
        onFailed: (error) => {
          this.#openings.delete(opening);
          this.#next()?.onNoConnection(error);
          this.#openMore();
        },
      });
      this.#openings.add(opening);
    }
  }

  get #size(): number {
    return this.#connections.size + this.#openings.size;
  }

  #add(socket: Socket): void {
    const connection = new Connection(socket, this.#rules.idleTimeout, {
      onFree: this.release,
      onClose: this.#remove,
    });
    this.#connections.add(connection);
    this.release(connection);
  }

  readonly #remove = (connection: Connection): void => {
    this.#connections.delete(connection);
    const index = this.#resting.indexOf(connection);
    if (index >= 0) this.#resting.splice(index, 1);
    this.#openMore();
  };

  /** Who has waited longest. */
  #next(): Waiter | undefined {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      return waiter;
    }
    return undefined;
  }
}
