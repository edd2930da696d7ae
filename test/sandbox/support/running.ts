import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";

/** Starts a sandbox that is closed at the end of the test. */
export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Opens a TCP connection to the sandbox, for raw bytes. */
export async function openConnection({ baseUrl }: Sandbox) {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  /** `end` if the server closed the connection, otherwise the code of the error. */
  const ended = new Promise<string>((resolve) => {
    socket.once("end", () => resolve("end"));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  return { received: () => received, write: (text: string) => void socket.write(text), ended };
}

/** Finds the HTTP server of a sandbox through Node's diagnostics channel. */
export async function findServer({ baseUrl }: Pick<Sandbox, "baseUrl">): Promise<Server> {
  const { port } = new URL(baseUrl);
  const servers: Server[] = [];
  const onRequest = (message: unknown) => servers.push((message as { server: Server }).server);
  subscribe("http.server.request.start", onRequest);
  onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
  await fetch(`${baseUrl}/api/v1/status`);
  const server = servers.find((one) => (one.address() as AddressInfo | null)?.port === Number(port));
  if (server === undefined) throw new Error("The server was not found.");
  return server;
}

/** Counts the listeners of a gateway. */
export function countSubscriptions({ gateway }: Sandbox): () => number {
  const subscribe = gateway.subscribe.bind(gateway);
  const active = new Set<object>();
  gateway.subscribe = (listener) => {
    const unsubscribe = subscribe(listener);
    active.add(listener);
    return () => {
      active.delete(listener);
      unsubscribe();
    };
  };
  return () => active.size;
}
