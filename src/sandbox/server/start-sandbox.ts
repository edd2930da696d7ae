/// <reference types="node" />
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { Hono } from "hono";
import { createCardToken } from "../../spec/endpoints.ts";
import { createControlApi, isCrossOrigin } from "../control/control-api.ts";
import { createGateway, type Gateway } from "../gateway.ts";
import type { GatewayOptions } from "../gateway-options.ts";
import { servePage } from "../pages/serve-page.ts";
import { basePathOf } from "../service-endpoints.ts";
import { failure } from "../service-responses.ts";
import { createHostCheck } from "./check-host.ts";
import { closePortOnFault } from "./close-port-on-fault.ts";

/** Maximum bytes of a request body. The response to a larger one is a 413. */
const BODY_MAX_BYTES = 1_000_000;

/** Options of {@link startSandbox}: those of a gateway, plus the address to listen on. */
export interface SandboxOptions extends GatewayOptions {
  /** Default 0: a free port. */
  readonly port?: number;
  /** Default `127.0.0.1`: this machine only. Anyone who can connect can change and read everything in the sandbox. */
  readonly host?: string;
  /**
   * URL that clients use. Default: the address that the server listens on. A request gets a 403 if the name in its
   * `Host` header is not `localhost`, `*.localhost`, `host` or the one in this URL. IP addresses are always allowed.
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
  /** Breaks every open connection, such as that of a stalled response. The sandbox keeps running. */
  closeConnections(): void;
  /** Stops listening and closes every connection, including idle ones. It can be called twice. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
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
    const app = createApp(gateway, server);
    const checkHost = createHostCheck([host, new URL(gateway.baseUrl).host]);
    server.on("request", (incoming, outgoing) => {
      // Browsers, which alone send `Origin`, send a request again by themselves if a reused connection breaks, even a
      // POST: a fault would charge twice. Set here, so that it is also true of a request that does not reach the app.
      if (incoming.method === "POST" && incoming.headers.origin !== undefined) {
        outgoing.shouldKeepAlive = false;
      }
      void serve(app, checkHost(incoming), incoming, outgoing);
    });
    const stopWatchingFaults = closePortOnFault(gateway, server);
    const { baseUrl, secretKey, publicKey } = gateway;
    const closeAll = () => {
      stopWatchingFaults();
      gateway.close();
      return close(server);
    };
    return {
      baseUrl,
      secretKey,
      publicKey,
      gateway,
      closeConnections: () => server.closeAllConnections(),
      close: closeAll,
      [Symbol.asyncDispose]: closeAll,
    };
  } catch (error) {
    await close(server);
    throw error;
  }
}

/** The dashboard and the checkout, the control API, and the service. */
function createApp(gateway: Gateway, server: Server): Hono<{ Bindings: HttpBindings }> {
  const basePath = basePathOf(gateway.baseUrl);
  const control = createControlApi(gateway);
  control.get("/openapi.json", async () => {
    const { openApiDocument } = await import("./openapi-document.ts"); // Jest cannot load it as CommonJS
    return Response.json(openApiDocument(gateway));
  });

  const app = new Hono<{ Bindings: HttpBindings }>({ getPath: ({ url }) => new URL(url).pathname });
  app.onError((error) => {
    throw error; // a fault: see `serve`
  });
  app.use(async ({ env }, next) => {
    await next();
    if (!server.listening) env.outgoing.shouldKeepAlive = false; // while the port is closed
  });
  app.use(async ({ req }, next) => servePage(req.raw, basePath) ?? next());
  app.route("/", control);
  app.all("*", ({ req, env }) => {
    if (isCrossOrigin(req.raw, gateway.baseUrl) && !isFromCardForm(req.raw, basePath)) {
      return failure(403, "Not allowed from another site");
    }
    return gateway.fetch(req.raw, { ip: env.incoming.socket.remoteAddress ?? "127.0.0.1" });
  });
  return app;
}

/**
 * Whether a request can be from a card form, which is a page of another origin. A form, an image or a link never is: it
 * does not ask for the right to read the response (CORS).
 */
function isFromCardForm({ url, method, headers }: Request, basePath: string): boolean {
  if (new URL(url).pathname !== basePath + createCardToken.path) return false;
  return ["POST", "OPTIONS"].includes(method) && (headers.get("sec-fetch-mode") ?? "cors") === "cors";
}

/** @param forbidden the response, if the `Host` header is not allowed. */
function serve(
  app: Hono<{ Bindings: HttpBindings }>,
  forbidden: Response | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const respond = getRequestListener(
    async (request) => {
      const body = await readBody(incoming);
      if (body === undefined) return failure(413, "Payload Too Large");
      if (request.method === "TRACE") return failure(400, "Bad Request"); // `Request` does not support it
      Object.assign(incoming, { rawBody: body }); // from where the request takes its body
      return forbidden ?? app.fetch(request, { incoming, outgoing });
    },
    {
      overrideGlobalObjects: false,
      errorHandler(error) {
        if (error instanceof RequestError) return forbidden ?? failure(400, "Bad Request");
        incoming.socket.resetAndDestroy(); // a fault, or a client that has disconnected
      },
    },
  );
  return respond(incoming, outgoing);
}

/**
 * Reads a body to its end even if it is too large: a client that is still sending would not read the response.
 *
 * @returns `undefined` for a body that is too large.
 */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return length > BODY_MAX_BYTES ? undefined : Buffer.concat(chunks);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
    throw new Error(`The sandbox cannot listen on ${host}:${port}: ${reason}.`, { cause });
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
