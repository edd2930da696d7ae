import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { startSandbox } from "../../../src/sandbox/server/start-sandbox.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The sandbox over HTTP. CORS allows pages to tokenize only. */
    sandbox: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
    /** Redirects every request to itself. `GET /paths` returns the paths of the requests. */
    redirecting: string;
    /** URL of a closed port. */
    unreachable: string;
  }
}

/** Starts the servers that the pages call, because a page cannot start one. */
export default async function servers(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  const redirecting = createRedirecting();
  const closed = createServer();
  const { baseUrl, secretKey, publicKey } = sandbox;
  project.provide("sandbox", { baseUrl, secretKey, publicKey });
  project.provide("redirecting", await listen(redirecting));
  project.provide("unreachable", await listen(closed));
  await close(closed);
  return async () => {
    await sandbox.close();
    await close(redirecting);
  };
}

function createRedirecting(): Server {
  const paths: string[] = [];
  return createServer((request, response) => {
    const path = request.url ?? "";
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (path === "/paths") response.end(JSON.stringify(paths));
    else {
      paths.push(path);
      response.writeHead(307, { location: "/elsewhere" }).end();
    }
  });
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
