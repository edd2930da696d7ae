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
    throw new ApiError(0, "The sandbox cannot be reached. Is it still running?");
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
