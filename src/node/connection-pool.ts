/// <reference types="node" />
import net, { type Socket } from "node:net";
import tls from "node:tls";
import { withTimeout } from "../http/timers.ts";

/** For each origin. Times are in milliseconds. */
export type PoolOptions = Record<"maxSockets" | "idleTimeout" | "connectTimeout", number>;

export interface Address {
  readonly protocol: string;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
}

/** With more origins, those without connections are forgotten. */
const MAX_POOLS = 64;

/** The connections of a transport, by origin. */
export class ConnectionPools {
  readonly #options: PoolOptions;
  readonly #pools = new Map<string, ConnectionPool>();

  constructor(options: PoolOptions) {
    this.#options = { ...options };
  }

  find(origin: string, address: Address): ConnectionPool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    if (this.#pools.size >= MAX_POOLS) {
      for (const [name, { isUnused }] of this.#pools) if (isUnused) this.#pools.delete(name);
    }
    const pool = new ConnectionPool(address, this.#options);
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Closes the idle connections, and each other connection when it is released. */
  close(): void {
    this.#options.idleTimeout = 0; // also for the pools
    for (const pool of this.#pools.values()) pool.closeIdle();
  }
}

/** The connections to one origin. */
export class ConnectionPool {
  readonly #address: Address;
  readonly #options: Readonly<PoolOptions>;
  /** Last in, first out, so that the others can reach their idle timeout. */
  #idle: Connection[] = [];
  /** The number of calls that have a connection, or are checking or opening one. */
  #active = 0;
  /** In the order of waiting. */
  readonly #waiting = new Set<() => void>();
  #tlsSession: Buffer | undefined;

  constructor(address: Address, options: Readonly<PoolOptions>) {
    this.#address = address;
    this.#options = options;
  }

  get isUnused(): boolean {
    return this.#active + this.#idle.length === 0;
  }

  /**
   * A connection for one request, which must be released afterwards. There are never more connections than
   * `maxSockets`, because a connection is opened only if none is idle.
   *
   * @throws the reason of the signal, or why no connection could be opened.
   */
  async acquire(signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#active < this.#options.maxSockets) this.#active += 1;
    else await this.#wait(signal);
    try {
      for (;;) {
        const connection = this.#idle.pop();
        if (connection === undefined) return await this.#open(signal);
        await nextPoll();
        if (signal?.aborted === true) this.#keep(connection);
        signal?.throwIfAborted();
        if (connection.isUsable) return connection;
        connection.socket.destroy();
      }
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Ends the use of a connection. It is kept open if another request can use it. */
  release(connection: Connection): void {
    this.#keep(connection);
    this.#leave();
  }

  closeIdle(): void {
    for (const { socket } of this.#idle) socket.destroy();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(onTurn);
        reject(signal?.reason);
      };
      const onTurn = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      this.#waiting.add(onTurn);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Lets the first waiting call continue. */
  #leave(): void {
    const [onTurn] = this.#waiting;
    if (onTurn === undefined) this.#active -= 1;
    else this.#waiting.delete(onTurn);
    onTurn?.();
  }

  #keep(connection: Connection): void {
    if (this.#options.idleTimeout === 0 || !connection.isUsable) connection.socket.destroy();
    else this.#idle.push(connection.markIdle());
  }

  /** Opens a connection. For TLS, the certificate was accepted. */
  async #open(signal: AbortSignal | undefined): Promise<Connection> {
    signal?.throwIfAborted();
    const { idleTimeout, connectTimeout: ms } = this.#options;
    const asReportedBySystem = { code: "ETIMEDOUT", syscall: "connect" };
    const createError = () => Object.assign(new Error(`no connection within ${ms} ms`), asReportedBySystem);
    const socket = this.#connect();
    const opened = new Promise((resolve, reject) => {
      socket.once(this.#address.protocol === "https:" ? "secureConnect" : "connect", resolve);
      socket.on("error", reject); // as long as the socket lives: an error without a listener would end the process
      socket.once("close", () => reject(connectionEnded()));
    });
    try {
      await withTimeout({ ms, signal, createError }, () => opened);
    } catch (error) {
      socket.destroy();
      this.#tlsSession = undefined; // it may be the cause
      throw error;
    }
    const connection = new Connection(socket, idleTimeout);
    socket.once("close", () => {
      this.#idle = this.#idle.filter((idle) => idle !== connection);
    });
    return connection;
  }

  #connect(): Socket {
    const { protocol, host, port } = this.#address;
    if (protocol === "http:") return net.connect({ host, port, noDelay: true });
    const servername = net.isIP(host) === 0 ? host : ""; // an address is not a valid server name
    const session = this.#tlsSession;
    const socket = tls.connect({ host, port, servername, session, ALPNProtocols: ["http/1.1"] });
    socket.on("session", (received) => {
      this.#tlsSession = received;
    });
    return socket.setNoDelay();
  }
}

/** An open connection. It is idle, or used by one request. */
export class Connection {
  readonly socket: Socket;
  /** Milliseconds that it may stay idle. */
  #maxIdleMs: number;
  /** The request that used it last. */
  lastRequest: object | undefined;
  /** By the wall clock, which advances while a machine sleeps. */
  #idleSince: number | undefined;

  constructor(socket: Socket, maxIdleMs: number) {
    this.socket = socket;
    this.#maxIdleMs = maxIdleMs;
    const destroyIfIdle = () => this.#idleSince !== undefined && socket.destroy();
    socket.on("timeout", destroyIfIdle);
    // Unsolicited bytes would be read as the response to the next request.
    socket.on("data", destroyIfIdle);
  }

  get isUsable(): boolean {
    const idleMs = this.#idleSince === undefined ? 0 : Date.now() - this.#idleSince;
    const isFresh = idleMs >= 0 && idleMs < this.#maxIdleMs; // below zero if the clock was set back
    return isFresh && this.socket.writable && this.socket.readable;
  }

  /** The server closes it after `Keep-Alive: timeout` seconds without use. One of them is for the network. */
  limitIdle(keepAlive: string | readonly string[] | undefined): void {
    const seconds = /(?:^|[\s,])timeout=(\d+)/i.exec(String(keepAlive))?.[1];
    if (seconds === undefined) return;
    this.#maxIdleMs = Math.min(this.#maxIdleMs, Math.max(0, Number(seconds) - 1) * 1_000);
  }

  /** An idle connection does not keep the process alive. */
  markIdle(): this {
    this.#idleSince ??= Date.now();
    this.socket.unref();
    if (this.socket.timeout !== this.#maxIdleMs) this.socket.setTimeout(this.#maxIdleMs);
    return this;
  }

  markUsed(request: object): this {
    this.lastRequest = request;
    if (this.#idleSince !== undefined) this.socket.ref();
    this.#idleSince = undefined;
    return this;
  }
}

/** Read when the package is loaded: fake timers in tests must not delay a connection. */
const nextTurn = setImmediate;

/**
 * Waits until the event loop has polled the sockets twice: an end, a reset or an unsolicited response that has arrived
 * is noticed before the next request is written. The first callback can run before the loop polls again.
 */
function nextPoll(): Promise<void> {
  return new Promise((resolve) => nextTurn(() => nextTurn(() => nextTurn(resolve))));
}

export function connectionEnded(): Error {
  return Object.assign(new Error("the connection ended"), { code: "ECONNRESET" });
}
