import { type HttpServer, type Reply, startServer } from "../../../support/http-server.ts";

const ANY_ORIGIN = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

/** A service whose answers every page may read; the first tokenization gets the first reply, the last one repeats. */
export async function startService(...replies: readonly Reply[]): Promise<HttpServer> {
  let calls = 0;
  return startServer((exchange) => {
    const { request, response } = exchange;
    for (const [name, value] of Object.entries(ANY_ORIGIN)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    calls += 1;
    return replies[Math.min(calls, replies.length) - 1]?.(exchange);
  });
}

/** The tokenizations among what arrived: a browser asks first, and may look where an answer stayed away. */
export const tokenizations = ({ arrivals }: HttpServer) => arrivals.filter(({ method }) => method === "POST");
