/// <reference types="node" />
import { createServer, type Server } from "node:http";
import { createControl } from "../control/control.ts";
import { createGateway, type Gateway } from "../gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { servePage } from "../pages/pages.ts";
import { basePathOf } from "../router.ts";
import { createHostCheck } from "./check-host.ts";
import { closePortOnFault } from "./close-port-on-fault.ts";
import { serve } from "./serve.ts";

/** Options of {@link startSandbox}: those of a gateway, and where it listens. */
export interface SandboxOptions extends GatewayOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine only. Anyone who can connect can change and read everything in the sandbox. */
  readonly host?: string;
  /**
   * Default: the address that the server listens on. For a server that is reached by another name: the
   * sandbox answers 403 to a `Host` header with any name but `localhost`, `*.localhost`, `host` and the
   * one in this URL. IP addresses are always allowed.
   */
  readonly baseUrl?: string;
}

/** A running sandbox. Make one with {@link startSandbox}. */
export interface Sandbox {
  /** Without a slash at its end. The dashboard is there. */
  readonly baseUrl: string;
  /** For the client of the SDK. */
  readonly secretKey: string;
  /** For the client of the SDK, and for tokenization. */
  readonly publicKey: string;
  /** The service behind the server: what exists in it, its moves, its faults and its clock. */
  readonly gateway: Gateway;
  /** Stops listening and ends every connection, those that are kept alive too. May be called twice. */
  close(): Promise<void>;
}

/**
 * Serves a gateway over HTTP, with a dashboard, hosted checkout pages and the control API.
 *
 * @throws {Error} when the port is in use or the host cannot be listened on, and {TypeError} when an option
 * is not what its documentation says; nothing listens then.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", ...gatewayOptions } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError("startSandbox: port must be a whole number from 0 to 65535.");
  }
  // Slow clients are cut off: 10 s for the headers of a request, 30 s for all of it, looked at every second.
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false, // the check of the Host name refuses such a request, with a message
  });
  await listen(server, port, host);

  try {
    const gateway = createGateway({ baseUrl: addressOf(server), ...gatewayOptions });
    const control = createControl(gateway);
    const basePath = basePathOf(gateway.baseUrl);
    const checkHost = createHostCheck([host, new URL(gateway.baseUrl).host]);
    const isListening = () => server.listening;
    server.on("request", (incoming, outgoing) => {
      const refusal = checkHost(incoming);
      void serve(gateway.baseUrl, isListening, incoming, outgoing, async (request, ip) => {
        if (refusal !== undefined) return refusal;
        const page = servePage(request, basePath) ?? (await control(request));
        return page ?? gateway.fetch(request, { ip });
      });
    });
    const stopFaults = closePortOnFault(gateway, server);
    const { baseUrl, secretKey, publicKey } = gateway;
    return {
      baseUrl,
      secretKey,
      publicKey,
      gateway,
      close() {
        stopFaults();
        gateway.close();
        return close(server);
      },
    };
  } catch (error) {
    await close(server);
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
      reject(new Error(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause }));
    };
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

/** A server bound to every address is reached by its loopback one. */
function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The sandbox has no TCP address.");
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const host = loopback[address.address] ?? address.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
