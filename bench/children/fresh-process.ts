import { forkModule } from "./forked.ts";

/** A process of its own that does tasks in turn. Ends when it is disposed of. */
export interface FreshProcess<Task, Result> extends AsyncDisposable {
  readonly ask: (task: Task) => Promise<Result>;
}

/** Runs a file that says {@link onTask} in a process of its own. */
export function startFreshProcess<Task, Result>(
  file: string,
  nodeOptions: readonly string[] = [],
): FreshProcess<Task, Result> {
  const { process: child, ask, ended } = forkModule(file, { nodeOptions, serialization: "advanced" });
  return {
    ask: (task) => ask<Result>(task),
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
