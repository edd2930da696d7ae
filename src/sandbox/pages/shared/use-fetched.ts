import { useEffect, useState } from "preact/hooks";
import { call, isNotFound } from "./api.ts";

export interface Fetched<T> {
  /** The latest response; `undefined` before the first one, and if the resource no longer exists. */
  readonly value: T | undefined;
  /** Error of the last attempt. */
  readonly error: unknown;
  /** Fetches again. */
  refresh(): void;
}

const RETRY_MS = 1_000;

/**
 * Fetches a path of the control API: again with each new `version`, and every second after an error, because a fault
 * may have closed the port.
 */
export function useFetched<T>(path: string, version: unknown): Fetched<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const refresh = () => setAttempt((before) => before + 1);

  useEffect(() => {
    let isOutdated = false;
    let timer: number | undefined;
    call<T>("GET", path).then(
      (response) => {
        if (isOutdated) return;
        setValue(response);
        setError(undefined);
      },
      (failure) => {
        if (isOutdated) return;
        setError(failure);
        if (isNotFound(failure)) setValue(undefined);
        else timer = window.setTimeout(refresh, RETRY_MS);
      },
    );
    return () => {
      isOutdated = true;
      window.clearTimeout(timer);
    };
  }, [path, version, attempt]);

  return { value, error, refresh };
}
