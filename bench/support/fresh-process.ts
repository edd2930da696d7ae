import { fork } from "node:child_process";
import { once } from "node:events";

/** A process of its own that does tasks in turn. Ends when it is disposed of. */
export interface FreshProcess<Task, Result> extends AsyncDisposable {
  readonly ask: (task: Task) => Promise<Result>;
}

/** Milliseconds after which a task that does not end is ended with its process: longer than any of them takes. */
const PATIENCE_MS = 300_000;

/** Runs a file that says {@link onTask} in a process of its own. */
export function startFreshProcess<Task, Result>(
  file: string,
  nodeOptions: readonly string[] = [],
): FreshProcess<Task, Result> {
  const child = fork(file, {
    execArgv: [...nodeOptions],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
  const complaints: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => complaints.push(chunk));
  const ended = once(child, "exit");
  return {
    ask: (task) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
        const fail = () => {
          clearTimeout(timer);
          reject(new Error(`A process of the benchmarks ended: ${Buffer.concat(complaints)}`));
        };
        child.once("exit", fail);
        child.once("message", (result) => {
          clearTimeout(timer);
          child.off("exit", fail);
          resolve(result as Result);
        });
        child.send(task as object, (error) => error && reject(error));
      }),
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** One task in a process of its own. */
export async function inFreshProcess<Task, Result>(
  file: string,
  task: Task,
  nodeOptions: readonly string[] = [],
): Promise<Result> {
  await using fresh = startFreshProcess<Task, Result>(file, nodeOptions);
  return await fresh.ask(task);
}

/** The other side: does the tasks of this process and tells the results, until nobody is there to hear them. */
export function onTask<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.on("disconnect", () => process.exit());
  process.on("message", async (task) => {
    try {
      process.send?.(await work(task as Task));
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  });
}
