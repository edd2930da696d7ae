import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** What becomes of a create in doubt, after it was read whole. A runtime must not take any of it as a reason to repeat. */
type Doubt = (request: IncomingMessage, response: ServerResponse, server: Server) => void;

/** RFC 9110 lets a client repeat a request on another connection after this answer, and undici does. */
const MISDIRECTED = 421;

export const DOUBTS: Readonly<Record<string, Doubt>> = {
  "left without an answer": () => undefined, // the client gives up, and ends it
  closed: ({ socket }) => socket.destroy(),
  reset: ({ socket }) => socket.resetAndDestroy(),
  "closed for good": ({ socket }, _response, server) => {
    server.close();
    socket.destroy();
  },
  "answered with 421": (_request, response) => {
    response.writeHead(MISDIRECTED).end();
  },
  "answered with 421 for good": (_request, response, server) => {
    server.close();
    response.writeHead(MISDIRECTED, { connection: "close" }).end();
  },
};

/** Undici keeps no connection that its service would end within two seconds. */
const KEPT_MS = 10_000;

const CREATED = {
  success: true,
  data: { id: 1, status: "pending", amount: 1990, pix: { qrcodeText: "00020126" } },
};

/**
 * Keeps its connections, and answers a create unless its reference says `doubtful`.
 *
 * @param onArrival - Is told the number of the connection that a create came over, from 1.
 */
export function doubtfulService(doubt: Doubt, onArrival: (connection: number) => void): Server {
  const connections = new Map<unknown, number>();
  const server = createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      onArrival(connections.get(request.socket) ?? 0);
      if (body.includes('"doubtful"')) doubt(request, response, server);
      else response.setHeader("content-type", "application/json").end(JSON.stringify(CREATED));
    });
  });
  return server.on("connection", (socket) => connections.set(socket, connections.size + 1));
}
