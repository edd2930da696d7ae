/// <reference types="node" />
import type { Socket } from "node:net";

/** What a pool hears of its connection. */
interface Listener {
  /** A request is done with it. */
  readonly onFree: (connection: Connection) => void;
  readonly onClose: (connection: Connection) => void;
}

/** A connection that stands. It rests, or serves one request. */
export class Connection {
  readonly socket: Socket;
  /** Milliseconds that it may rest. */
  keepMs: number;
  user: object | undefined;
  #restingSince: number | undefined;

  constructor(socket: Socket, keepMs: number, { onFree, onClose }: Listener) {
    this.socket = socket;
    this.keepMs = keepMs;
    const isResting = () => this.#restingSince !== undefined;
    socket.on("free", () => onFree(this));
    socket.on("close", () => onClose(this));
    socket.on("timeout", () => isResting() && socket.destroy());
    // What comes without having been asked for would be taken for the answer to the next request.
    socket.on("data", () => isResting() && socket.destroy());
  }

  get isUsable(): boolean {
    return this.socket.writable && this.socket.readable && this.#restedMs <= this.keepMs;
  }

  /** By the wall clock, which goes on while a machine sleeps; where it was set back, nobody knows. */
  get #restedMs(): number {
    if (this.#restingSince === undefined) return 0;
    const ms = Date.now() - this.#restingSince;
    return ms < 0 ? Number.POSITIVE_INFINITY : ms;
  }

  /** A resting connection keeps no process alive. */
  rest(): void {
    this.#restingSince ??= Date.now();
    this.socket.unref();
    if (this.socket.timeout !== this.keepMs) this.socket.setTimeout(this.keepMs);
  }

  /** @param user - What uses the connection until another one does. */
  serve(user: object): void {
    this.user = user;
    if (this.#restingSince === undefined) return;
    this.#restingSince = undefined;
    this.socket.ref();
  }
}
