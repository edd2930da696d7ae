import { useEffect, useState } from "preact/hooks";
import { ApiError, call } from "./api.ts";

export interface Fetched<T> {
  /** The newest answer; none until the first one, and none of what does not exist any more. */
  readonly value: T | undefined;
  /** Why the last try failed. */
  readonly error: unknown;
  /** Asks again: what was known is outdated. */
  refresh(): void;
}

const RETRY_MS = 1_000;

/**
 * What the control API says under a path. Asked again with each new `version`, and every second while the
 * sandbox cannot be reached: a fault may have closed its port.
 */
export function useFetched<T>(path: string, version: unknown): Fetched<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [again, setAgain] = useState(0);
  const refresh = () => setAgain((before) => before + 1);

  useEffect(() => {
    let outdated = false;
    let timer: number | undefined;
    call<T>("GET", path).then(
      (answer) => {
        if (outdated) return;
        setValue(answer);
        setError(undefined);
      },
      (failure) => {
        if (outdated) return;
        setError(failure);
        if (isGone(failure)) setValue(undefined);
        else timer = window.setTimeout(refresh, RETRY_MS);
      },
    );
    return () => {
      outdated = true;
      window.clearTimeout(timer);
    };
  }, [path, version, again]);

  return { value, error, refresh };
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
