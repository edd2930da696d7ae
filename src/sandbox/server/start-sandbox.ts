/// <reference types="node" />
import { createServer, type Server } from "node:http";
import { createControl } from "../control/control.ts";
import { createGateway, type Gateway } from "../gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { servePage } from "../pages/pages.ts";
import { basePathOf } from "../router.ts";
import { createHostCheck } from "./check-host.ts";
import { closePortOnFault } from "./close-port-on-fault.ts";
import { createOpenApiRoute } from "./openapi.ts";
import { serve } from "./serve.ts";

/** Options of {@link startSandbox}: those of a gateway, plus the address to listen on. */
export interface SandboxOptions extends GatewayOptions {
  /** Default 0: a free port. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine only. Anyone who can connect can change and read everything in the sandbox. */
  readonly host?: string;
  /**
   * URL that clients use. Default: the address that the server listens on. A request gets a 403 if the
   * name in its `Host` header is not `localhost`, `*.localhost`, `host` or the one in this URL. IP addresses are
   * always allowed.
   */
  readonly baseUrl?: string;
}

/** A running sandbox. Start one with {@link startSandbox}. */
export interface Sandbox {
  /** URL of the service and of the dashboard, without a trailing slash. */
  readonly baseUrl: string;
  /** The secret key for the SDK. */
  readonly secretKey: string;
  /** The public key for the SDK and for tokenization. */
  readonly publicKey: string;
  /** The service behind the server, with its transactions, faults and clock. */
  readonly gateway: Gateway;
  /** Stops listening and closes every connection, including idle ones. It can be called twice. */
  close(): Promise<void>;
}

/**
 * Serves a gateway over HTTP, with a dashboard, hosted checkout pages and the control API.
 *
 * @throws {Error} when the server cannot listen on the port or host.
 * @throws {TypeError} when an option is unknown or has an invalid value.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", ...gatewayOptions } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError("startSandbox: port must be a whole number from 0 to 65535.");
  }
  // Slow clients are disconnected: 10 s for the headers of a request, 30 s for all of it, checked every second.
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false, // the host check refuses such a request, with a message
  });
  await listen(server, port, host);

  try {
    const gateway = createGateway({
      ...gatewayOptions,
      baseUrl: gatewayOptions.baseUrl ?? addressOf(server),
    });
    const control = createControl(gateway, [createOpenApiRoute(gateway)]);
    const basePath = basePathOf(gateway.baseUrl);
    const checkHost = createHostCheck([host, new URL(gateway.baseUrl).host]);
    const isListening = () => server.listening;
    server.on("request", (incoming, outgoing) => {
      const rejection = checkHost(incoming);
      void serve(gateway.baseUrl, isListening, incoming, outgoing, async (request, ip) => {
        if (rejection !== undefined) return rejection;
        const response = servePage(request, basePath) ?? (await control(request));
        return response ?? gateway.fetch(request, { ip });
      });
    });
    const stopWatchingFaults = closePortOnFault(gateway, server);
    const { baseUrl, secretKey, publicKey } = gateway;
    return {
      baseUrl,
      secretKey,
      publicKey,
      gateway,
      close() {
        stopWatchingFaults();
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
    const onError = (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
      reject(new Error(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause }));
    };
    server.once("error", onError);
    server.listen(port, host, () => {
      server.off("error", onError);
      resolve();
    });
  });
}

/** A server that listens on all addresses is reached at the loopback address. */
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
