/// <reference types="node" />
import type { Agent, AgentOptions, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { http, https } from "./node-http.ts";

export type Scheme = "http:" | "https:";

export interface Address {
  readonly hostname: string;
  readonly port: number;
}

type OnCreated = (error: Error | null | undefined, socket?: Socket) => void;

/**
 * Parts of every agent that Node does not document; `agent-base` has relied on them for a decade. `createSocket` adds
 * the name for the certificate, the TLS session cache and the wait for a proxy tunnel, which `createConnection` leaves
 * to its caller. Only `addRequest` can choose the socket of a request: otherwise the agent uses its own pool, unchecked.
 */
interface AgentParts {
  readonly options: Pick<AgentOptions, "proxyEnv">;
  readonly createSocket: (request: object, options: object, onCreated: OnCreated) => void;
}

/** A request without headers: an agent reads `host` to find out which name the certificate must have. */
const NO_REQUEST = { getHeader: () => undefined };

/**
 * Creates sockets as an agent of Node does, with the proxies of the environment, and assigns a given socket to a
 * request. The agent itself pools nothing.
 */
export class SocketFactory {
  readonly agent: Agent;
  #next: Socket | undefined;
  #onStarted: ((socket: Socket) => void) | undefined;

  constructor(scheme: Scheme) {
    const { Agent: NodeAgent, globalAgent } = scheme === "https:" ? https : http;
    const proxyEnv = (globalAgent as unknown as Partial<AgentParts>).options?.proxyEnv;
    this.agent = new NodeAgent({ keepAlive: true, proxyEnv });
    this.agent.removeAllListeners("free"); // the listener would pool or destroy the socket
    const createConnection = this.agent.createConnection;
    Object.assign(this.agent, {
      addRequest: (request: ClientRequest) => {
        const socket = this.#next;
        this.#next = undefined;
        if (socket !== undefined) request.onSocket(socket);
        else request.destroy();
      },
      createConnection: (...args: Parameters<typeof createConnection>) => {
        const socket = createConnection.apply(this.agent, args) as Socket;
        this.#onStarted?.(socket);
        return socket;
      },
    });
  }

  /**
   * @param onStarted - Receives the socket that connects: the new one, or the one to a proxy.
   * @param onCreated - Receives the new socket, which may still be connecting.
   */
  create({ hostname, port }: Address, onStarted: (socket: Socket) => void, onCreated: OnCreated): void {
    this.#onStarted = onStarted;
    const { createSocket } = this.agent as unknown as AgentParts;
    createSocket.call(this.agent, NO_REQUEST, { host: hostname, port }, onCreated);
    this.#onStarted = undefined;
  }

  /** Sets the socket of the next request that is created with the agent. */
  assignToNextRequest(socket: Socket): void {
    this.#next = socket;
  }

  /** Returns whether the socket was still unused: a tool may have set another agent on the request. */
  unassign(): boolean {
    const isUnused = this.#next !== undefined;
    this.#next = undefined;
    return isUnused;
  }
}

/** A socket that is being opened. */
export interface PendingSocket {
  /** Stops opening it. No callback is called any more. */
  readonly cancel: () => void;
}

/**
 * One of the two callbacks is called, once, and not before `openSocket` has returned.
 *
 * @param timeout - Milliseconds, including TLS and a proxy.
 * @param onReady - The socket is connected, and the certificate, if there is one, was accepted.
 */
export function openSocket(
  socketFactory: SocketFactory,
  address: Address,
  timeout: number,
  onReady: (socket: Socket) => void,
  onFailed: (error: Error) => void,
): PendingSocket {
  let started: Socket | undefined;
  let isSettled = false;
  const settle = () => {
    isSettled = true;
    clearTimeout(timer);
  };
  const fail = (error: Error) => {
    if (isSettled) return;
    settle();
    started?.destroy();
    onFailed(error);
  };
  const timer = setTimeout(() => fail(timedOut(timeout)), timeout);
  try {
    socketFactory.create(
      address,
      (socket) => (started = socket),
      (error, socket) => {
        if (socket === undefined || error) {
          process.nextTick(fail, error ?? connectionEnded());
          return;
        }
        if (isSettled) {
          socket.destroy();
          return;
        }
        // For the lifetime of the socket: an error without a listener would end the process.
        socket.on("error", fail);
        socket.once("close", () => fail(connectionEnded()));
        const ready = () => {
          if (isSettled) return;
          settle();
          onReady(socket);
        };
        const event = pendingEvent(socket);
        if (event === undefined) ready();
        else socket.once(event, ready);
      },
    );
  } catch (error) {
    process.nextTick(fail, error);
  }
  return {
    cancel: () => {
      settle();
      started?.destroy();
    },
  };
}

/** The event that reports that the socket is ready; `undefined` if it is ready already, such as one through a proxy. */
function pendingEvent(socket: Socket): "secureConnect" | "connect" | undefined {
  if ("secureConnecting" in socket) return socket.secureConnecting === true ? "secureConnect" : undefined;
  return socket.connecting ? "connect" : undefined;
}

/** With the code and the syscall that the system reports when it stops trying to connect. */
function timedOut(timeout: number): Error {
  const message = `no connection within ${timeout} ms`;
  return Object.assign(new Error(message), { code: "ETIMEDOUT", syscall: "connect" });
}

function connectionEnded(): Error {
  return Object.assign(new Error("the connection ended while it was being opened"), { code: "ECONNRESET" });
}
