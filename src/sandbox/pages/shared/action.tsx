import { useRef, useState } from "preact/hooks";
import { messageOf } from "./api.ts";

/** The state of the action of a button. It runs once at a time. */
export function useAction() {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isBusy = useRef(false); // set at once, unlike the state: a second click may follow immediately

  async function run(work: () => Promise<void>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setRunning(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      isBusy.current = false;
      setRunning(false);
    }
  }

  return {
    isRunning,
    problem,
    setProblem,
    run: (work: () => Promise<void>) => void run(work),
  };
}

export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
