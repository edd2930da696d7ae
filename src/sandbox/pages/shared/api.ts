import { useEffect, useState } from "preact/hooks";
import { translate } from "./translate.ts";

const messages = translate({
  unreachable: [
    "The sandbox cannot be reached. Is it still running?",
    "O sandbox não responde. Ele ainda está em execução?",
  ],
});

/** An error response of the control API, or status 0 if the sandbox cannot be reached. */
class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const root = document.documentElement.dataset["root"] ?? "";

/** @param path below `/sandbox/`. */
export function urlOf(path: string): string {
  return `${root}sandbox/${path}`;
}

/** @throws {ApiError} with the message of the control API, or if the sandbox cannot be reached. */
export async function call<T>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<T> {
  const init = body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  try {
    const response = await fetch(urlOf(path), { method, ...init });
    const text = await response.text();
    const result = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) throw new ApiError(response.status, result?.message ?? `HTTP ${response.status}`);
    return result as T;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, messages.unreachable);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export interface Fetched<T> {
  /** The latest response; `undefined` before the first one, and if the resource no longer exists. */
  readonly value: T | undefined;
  readonly error: unknown;
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
