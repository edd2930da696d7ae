import { useState } from "preact/hooks";
import { messageOf } from "./api.ts";

export interface Action {
  /** Whether it is under way. */
  readonly busy: boolean;
  /** What went wrong the last time. */
  readonly problem: string | undefined;
  run(work: () => Promise<void>): void;
  fail(problem: string): void;
}

/** Something that a button does, one at a time, with the place for its error. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, run: (work) => void run(work), fail: setProblem };
}
