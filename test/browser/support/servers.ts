import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { startSandbox } from "../../../src/sandbox/server/start-sandbox.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The sandbox over HTTP: a page may tokenize there, and nothing else. */
    sandbox: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
    /** Redirects every call to itself; `GET /arrived` answers the paths that calls came to. */
    redirecting: string;
    /** Where nobody listens. */
    unreachable: string;
  }
}

/** The servers that the pages call; a page cannot start one. */
export default async function servers(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  const redirecting = createRedirecting();
  const gone = createServer();
  const { baseUrl, secretKey, publicKey } = sandbox;
  project.provide("sandbox", { baseUrl, secretKey, publicKey });
  project.provide("redirecting", await listen(redirecting));
  project.provide("unreachable", await listen(gone));
  await close(gone);
  return async () => {
    await sandbox.close();
    await close(redirecting);
  };
}

function createRedirecting(): Server {
  const arrived: string[] = [];
  return createServer((request, response) => {
    const path = request.url ?? "";
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "*");
    if (request.method === "OPTIONS") response.writeHead(204).end();
    else if (path === "/arrived") response.end(JSON.stringify(arrived));
    else {
      arrived.push(path);
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
