import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Kind } from "./orders.ts";

const SERVER = join(import.meta.dirname, "..", "server.ts");

/** Where each kind of order is answered. Ends when it is disposed of. */
export interface BenchServer extends AsyncDisposable {
  readonly urls: Readonly<Record<Kind, string>>;
}

export async function startServer(): Promise<BenchServer> {
  const child: ChildProcess = fork(SERVER, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit").then(() =>
    Promise.reject(new Error("The server of the benchmarks ended.")),
  );
  const [urls] = (await Promise.race([once(child, "message"), ended])) as [Record<Kind, string>];
  ended.catch(() => undefined); // from now on it is its end that is wanted
  return {
    urls,
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
