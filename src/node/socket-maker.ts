/// <reference types="node" />
import type { Agent, AgentOptions, ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { http, https } from "./node-http.ts";

export type Scheme = "http:" | "https:";

export interface Address {
  readonly hostname: string;
  readonly port: number;
}

type OnMade = (error: Error | null | undefined, socket?: Socket) => void;

/** What every agent of Node can do, though its types do not tell; `agent-base` has relied on it for a decade. */
interface AgentParts {
  readonly options: Pick<AgentOptions, "proxyEnv">;
  readonly createSocket: (request: object, options: object, onMade: OnMade) => void;
}

/** A request that has no header yet: an agent asks for one, to learn which name a certificate must have. */
const NO_REQUEST = { getHeader: () => undefined };

/**
 * Makes sockets as an agent of Node does, through a proxy where Node was told so, and gives a request the socket that
 * it is told. Which sockets there are, and who waits for one, is no business of its agent.
 */
export class SocketMaker {
  readonly agent: Agent;
  #next: Socket | undefined;
  #onStarted: ((socket: Socket) => void) | undefined;

  constructor(scheme: Scheme) {
    const { Agent: NodeAgent, globalAgent } = scheme === "https:" ? https : http;
    const proxyEnv = (globalAgent as unknown as Partial<AgentParts>).options?.proxyEnv;
    this.agent = new NodeAgent({ keepAlive: true, proxyEnv });
    this.agent.removeAllListeners("free"); // it would put the socket away, or end it
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
   * @param onStarted - Gets what connects: the socket, or that of the way to a proxy.
   * @param onMade - Gets the socket, which may still have to connect.
   */
  make({ hostname, port }: Address, onStarted: (socket: Socket) => void, onMade: OnMade): void {
    this.#onStarted = onStarted;
    const { createSocket } = this.agent as unknown as AgentParts;
    createSocket.call(this.agent, NO_REQUEST, { host: hostname, port }, onMade);
    this.#onStarted = undefined;
  }

  /** The socket of the next request that names the agent. */
  give(socket: Socket): void {
    this.#next = socket;
  }

  /** Whether no request wanted the socket: a tool may have given it an agent of its own. */
  takeBack(): boolean {
    const isLeft = this.#next !== undefined;
    this.#next = undefined;
    return isLeft;
  }
}
