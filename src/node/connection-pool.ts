/// <reference types="node" />
import { AsyncResource } from "node:async_hooks";
import type { Socket } from "node:net";
import { Connection } from "./connection.ts";
import { type Opening, openSocket } from "./open-socket.ts";
import type { Address, SocketMaker } from "./socket-maker.ts";
import type { TransportRules } from "./transport-options.ts";

/** A call that waits for a connection. One of the two methods is called, once, and not before `wait` has returned. */
export interface Waiter {
  readonly onConnection: (connection: Connection) => void;
  readonly onNoConnection: (error: Error) => void;
}

/** Read when the package is loaded: fake timers in tests must not hold up a connection. */
const nextTurn = setImmediate;

/** The connections to one host, and the calls that wait for one. */
export class ConnectionPool {
  readonly maker: SocketMaker;
  readonly #address: Address;
  readonly #rules: TransportRules;
  /** All established connections: serving, idle or being checked. */
  readonly #connections = new Set<Connection>();
  readonly #openings = new Set<Opening>();
  /** The most recently used one is last, and is used first: the others can reach their idle timeout. */
  readonly #idle: Connection[] = [];
  readonly #checking = new Set<Connection>();
  /** The longest waiting first, each with its async context, which tracing tools read. */
  readonly #waiting = new Map<Waiter, AsyncResource>();
  #isClosed = false;

  constructor(maker: SocketMaker, address: Address, rules: TransportRules) {
    this.maker = maker;
    this.#address = address;
    this.#rules = rules;
  }

  wait(waiter: Waiter): void {
    this.#waiting.set(waiter, new AsyncResource("payments-sdk.Waiter"));
    this.#supply();
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

  /** Takes back a connection that serves no request. */
  readonly release = (connection: Connection): void => {
    if (!this.#connections.has(connection)) return;
    if (!connection.isUsable || connection.keepMs === 0) {
      connection.socket.destroy();
      return;
    }
    connection.rest();
    this.#idle.push(connection);
    this.#supply();
    if (this.#isClosed) this.close();
  };

  /** Whether it has no connection and no waiter. */
  get isUnused(): boolean {
    return this.#size + this.#waiting.size === 0;
  }

  close(): void {
    this.#isClosed = true;
    for (const { socket } of this.#idle.splice(0)) socket.destroy();
  }

  /** Checks an idle connection for each waiter, and opens new ones for the other waiters. */
  #supply(): void {
    while (this.#checking.size < this.#waiting.size) {
      const connection = this.#idle.pop();
      if (connection === undefined) break;
      if (connection.isUsable) this.#check(connection);
      else connection.socket.destroy();
    }
    while (this.#checking.size + this.#openings.size < this.#waiting.size) {
      if (this.#size >= this.#rules.maxSockets) return;
      this.#open();
    }
  }

  /**
   * Waits until the event loop has polled the sockets once more: an end, a reset or an unsolicited answer that has
   * arrived is noticed before the next request is written.
   *
   * Two callbacks, because the first one can run before the loop polls again.
   */
  #check(connection: Connection): void {
    this.#checking.add(connection);
    nextTurn(() =>
      nextTurn(() => {
        if (this.#checking.delete(connection)) this.#give(connection);
      }),
    );
  }

  #give(connection: Connection): void {
    const [first] = this.#waiting;
    if (first === undefined || !connection.isUsable) {
      this.release(connection);
      return;
    }
    const [waiter, context] = first;
    this.#waiting.delete(waiter);
    context.runInAsyncScope(waiter.onConnection, undefined, connection);
  }

  #open(): void {
    const opening = openSocket(this.maker, this.#address, this.#rules.connectTimeout, {
      onReady: (socket) => {
        this.#openings.delete(opening);
        this.#add(socket);
      },
      onFailed: (error) => {
        this.#openings.delete(opening);
        this.#fail(error);
        this.#supply();
      },
    });
    this.#openings.add(opening);
  }

  /** Fails the longest waiting call that no connection is being checked for. */
  #fail(error: Error): void {
    const waiter = [...this.#waiting.keys()][this.#checking.size];
    if (waiter === undefined) return;
    this.#waiting.delete(waiter);
    waiter.onNoConnection(error);
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
    this.#give(connection);
  }

  readonly #remove = (connection: Connection): void => {
    this.#connections.delete(connection);
    this.#checking.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#supply();
  };
}
