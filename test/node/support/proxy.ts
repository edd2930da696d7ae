import { once } from "node:events";
import http, { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

export interface Proxy {
  readonly url: string;
  /** What it was asked: method, target and the headers that are for it. */
  readonly asked: readonly string[];
}

/** A proxy that hands requests on and makes tunnels, or refuses to with a status. */
export async function startProxy(refusal?: number): Promise<Proxy> {
  const asked: string[] = [];
  const note = ({ method, url, headers }: http.IncomingMessage) =>
    asked.push([method, url, headers["proxy-authorization"]].filter(Boolean).join(" "));
  const server = createServer((incoming, outgoing) => {
    note(incoming);
    const onward = request(incoming.url ?? "", {
      method: incoming.method,
      headers: incoming.headers,
      agent: false,
    });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    note(incoming);
    socket.on("error", () => undefined);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const [host, port] = (incoming.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    onTestFinished(() => void onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Until the test ends, Node uses the proxies of these variables, as with `NODE_USE_ENV_PROXY=1` at its start. */
export function useProxies(variables: Readonly<Record<string, string>>): void {
  onTestFinished(http.setGlobalProxyFromEnv(variables));
}
