/// <reference types="node" />
import { AsyncResource } from "node:async_hooks";
import type { Socket } from "node:net";
import { type Address, openSocket, type PendingSocket, type SocketFactory } from "./open-socket.ts";

export interface PoolOptions {
  readonly maxSockets: number;
  /** Milliseconds. */
  readonly idleTimeout: number;
  /** Milliseconds. */
  readonly connectTimeout: number;
}

/** A call that waits for a connection. One of the two methods is called, once, and not before `wait` has returned. */
export interface Waiter {
  readonly onConnection: (connection: Connection) => void;
  readonly onNoConnection: (error: Error) => void;
}

/** Read when the package is loaded: fake timers in tests must not delay a connection. */
const nextTurn = setImmediate;

/** The connections to one host, and the calls that wait for one. */
export class ConnectionPool {
  readonly socketFactory: SocketFactory;
  readonly #address: Address;
  readonly #options: PoolOptions;
  /** All open connections: in use, idle or being checked. */
  readonly #connections = new Set<Connection>();
  readonly #pending = new Set<PendingSocket>();
  /** The most recently used one is last, and is used first: the others can reach their idle timeout. */
  readonly #idle: Connection[] = [];
  readonly #checking = new Set<Connection>();
  /** In the order of waiting, each with its async context, which tracing tools read. */
  readonly #waiting = new Map<Waiter, AsyncResource>();
  #isClosed = false;

  constructor(socketFactory: SocketFactory, address: Address, options: PoolOptions) {
    this.socketFactory = socketFactory;
    this.#address = address;
    this.#options = options;
  }

  wait(waiter: Waiter): void {
    this.#waiting.set(waiter, new AsyncResource("payments-sdk.Waiter"));
    this.#serveWaiters();
  }

  cancelWait(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    // The newest first: the oldest will be ready soonest.
    for (const pending of [...this.#pending].reverse()) {
      if (this.#pending.size <= this.#waiting.size) return;
      this.#pending.delete(pending);
      pending.cancel();
    }
  }

  /** Returns a connection that no request uses to the pool. */
  release(connection: Connection): void {
    if (!this.#connections.has(connection)) return;
    if (!connection.isUsable || connection.maxIdleMs === 0) {
      connection.socket.destroy();
      return;
    }
    connection.markIdle();
    this.#idle.push(connection);
    this.#serveWaiters();
    if (this.#isClosed) this.close();
  }

  /** Whether it has no connection and no waiter. */
  get isUnused(): boolean {
    return this.#size + this.#waiting.size === 0;
  }

  close(): void {
    this.#isClosed = true;
    for (const { socket } of this.#idle.splice(0)) socket.destroy();
  }

  get #size(): number {
    return this.#connections.size + this.#pending.size;
  }

  /** Checks an idle connection for each waiter, and opens new ones for the other waiters. */
  #serveWaiters(): void {
    while (this.#checking.size < this.#waiting.size) {
      const connection = this.#idle.pop();
      if (connection === undefined) break;
      if (connection.isUsable) this.#check(connection);
      else connection.socket.destroy();
    }
    while (this.#checking.size + this.#pending.size < this.#waiting.size) {
      if (this.#size >= this.#options.maxSockets) return;
      this.#open();
    }
  }

  /**
   * Waits until the event loop has polled the sockets once more: an end, a reset or an unsolicited response that has
   * arrived is noticed before the next request is written.
   *
   * Two callbacks, because the first one can run before the loop polls again.
   */
  #check(connection: Connection): void {
    this.#checking.add(connection);
    nextTurn(() =>
      nextTurn(() => {
        if (this.#checking.delete(connection)) this.#assign(connection);
      }),
    );
  }

  #assign(connection: Connection): void {
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
    const pending = openSocket(
      this.socketFactory,
      this.#address,
      this.#options.connectTimeout,
      (socket) => {
        this.#pending.delete(pending);
        this.#add(new Connection(socket, this.#options.idleTimeout));
      },
      (error) => {
        this.#pending.delete(pending);
        this.#failWaiter(error);
        this.#serveWaiters();
      },
    );
    this.#pending.add(pending);
  }

  /** Fails the first waiter for which no connection is being checked. */
  #failWaiter(error: Error): void {
    const waiter = [...this.#waiting.keys()][this.#checking.size];
    if (waiter === undefined) return;
    this.#waiting.delete(waiter);
    waiter.onNoConnection(error);
  }

  #add(connection: Connection): void {
    this.#connections.add(connection);
    connection.socket.on("free", () => this.release(connection));
    connection.socket.on("close", () => this.#remove(connection));
    this.#assign(connection);
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection);
    this.#checking.delete(connection);
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    this.#serveWaiters();
  }
}

/** An open connection. It is idle, or used by one request. */
export class Connection {
  readonly socket: Socket;
  /** Milliseconds that it may stay idle. */
  maxIdleMs: number;
  /** The exchange that used it last. */
  owner: object | undefined;
  #idleSince: number | undefined;

  constructor(socket: Socket, maxIdleMs: number) {
    this.socket = socket;
    this.maxIdleMs = maxIdleMs;
    const destroyIfIdle = () => this.#idleSince !== undefined && socket.destroy();
    socket.on("timeout", destroyIfIdle);
    // Unsolicited bytes would be read as the response to the next request.
    socket.on("data", destroyIfIdle);
  }

  get isUsable(): boolean {
    return this.socket.writable && this.socket.readable && this.#idleMs <= this.maxIdleMs;
  }

  /** By the wall clock, which advances while a machine sleeps. If it was set back, the time is unknown: infinity. */
  get #idleMs(): number {
    if (this.#idleSince === undefined) return 0;
    const ms = Date.now() - this.#idleSince;
    return ms < 0 ? Number.POSITIVE_INFINITY : ms;
  }

  /** An idle connection does not keep the process alive. */
  markIdle(): void {
    this.#idleSince ??= Date.now();
    this.socket.unref();
    if (this.socket.timeout !== this.maxIdleMs) this.socket.setTimeout(this.maxIdleMs);
  }

  assignTo(owner: object): void {
    this.owner = owner;
    if (this.#idleSince === undefined) return;
    this.#idleSince = undefined;
    this.socket.ref();
  }
}
