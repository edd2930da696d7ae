import http, { createServer, request } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "../../support/http-server.ts";

export interface Proxy {
  readonly url: string;
  /** Of each request: the method, the target and the `proxy-authorization` header. */
  readonly requests: readonly string[];
}

/** A proxy that forwards requests and opens tunnels. @param refusal - Status with which it refuses tunnels. */
export async function startProxy(refusal?: number): Promise<Proxy> {
  const requests: string[] = [];
  const record = ({ method, url, headers }: http.IncomingMessage) =>
    requests.push([method, url, headers["proxy-authorization"]].filter(Boolean).join(" "));
  const server = createServer((incoming, outgoing) => {
    record(incoming);
    const upstream = request(incoming.url ?? "", {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    });
    upstream.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(upstream);
  });
  server.on("connect", (incoming, socket) => {
    record(incoming);
    socket.on("error", () => undefined);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const [host, port] = (incoming.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    onTestFinished(() => void upstream.destroy());
  });
  return { url: await listen(server), requests };
}

/**
 * Until the test ends, Node uses the proxies in these variables, as if started with `NODE_USE_ENV_PROXY=1`.
 *
 * Not for loja.example: sandboxes of earlier tests in this process may still send postbacks there with `fetch`.
 */
export function useProxies(variables: Readonly<Record<string, string>>): void {
  onTestFinished(http.setGlobalProxyFromEnv({ no_proxy: "loja.example", ...variables }));
}
