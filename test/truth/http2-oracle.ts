import { once } from "node:events";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { SELF_SIGNED } from "../support/self-signed.ts";
import { ATTEMPT_HEADER, charge, type Ledger, nextReply, type Oracle, type Reply } from "./oracle.ts";

/** The service of oracle.ts over HTTP/2, where streams end with RST_STREAM and sessions with GOAWAY. */
export async function startHttp2Oracle(ledger: Ledger): Promise<Oracle> {
  const sockets = new Set<Socket>();
  const server = createSecureServer(SELF_SIGNED);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("sessionError", () => undefined);
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    serve(ledger, String(headers[ATTEMPT_HEADER]), stream).catch(() => stream.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function serve(ledger: Ledger, attempt: string, stream: ServerHttp2Stream): Promise<void> {
  const reply = nextReply(ledger, attempt);
  if (reply.kind === "reset before reading") {
    stream.close(reply.errorCode);
    return;
  }
  const received = await text(stream); // rejects if the request is incomplete: such a request charges nothing
  const body = charge(ledger, attempt, reply, received);

  await setTimeout(reply.kind === "late response" ? 80 : reply.delay);
  if (stream.destroyed || reply.kind === "stall") return;
  if (reply.kind === "reset") stream.close(reply.errorCode);
  else if (reply.kind === "close") endSession(stream, reply);
  else if (reply.kind === "partial response") {
    // Without its length, only the code shows that the body is not complete.
    stream.respond(headersOf(reply, reply.delay % 3 === 2 ? body.length + 1 : undefined));
    stream.write(body.slice(0, 8 + 8 * reply.delay ** 2));
    await setTimeout(1); // the client gets it before the end
    if (reply.delay % 2 === 0) stream.close(reply.errorCode);
    else endSession(stream, reply);
  } else {
    stream.respond(headersOf(reply, Buffer.byteLength(body)));
    stream.end(body);
    if (reply.followedBy === "FIN") stream.session?.close();
  }
}

const headersOf = ({ status, body }: Reply, length: number | undefined) => ({
  ":status": status,
  "content-type": body === "html" ? "text/html" : "application/json",
  ...(length !== undefined && { "content-length": length }),
});

/** Sends GOAWAY, which may say that the stream was not processed, and closes the connection. */
function endSession({ session, id = 0 }: ServerHttp2Stream, { delay, errorCode }: Reply): void {
  if (session === undefined || session.destroyed) return;
  session.goaway(errorCode, delay % 4 < 2 ? id : Math.max(id - 2, 0));
  session.destroy();
}
