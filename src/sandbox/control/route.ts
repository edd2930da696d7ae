import { ImpossibleMoveError, UnknownIdError } from "../errors.ts";
import { failure } from "../responses.ts";
import { isJsonObject, type JsonObject, parseJson } from "../validation.ts";

export interface RouteInput {
  readonly request: Request;
  /** The decoded value of each `:name` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path below `/sandbox/`; a segment such as `:id` matches any value. */
  readonly path: string;
  readonly handle: (input: RouteInput) => Response | Promise<Response>;
}

interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface NoMatch {
  /** The methods of the path; empty for an unknown path. */
  readonly allowed: readonly string[];
}

export function matchRoute(routes: readonly Route[], method: string, path: string): RouteMatch | NoMatch {
  const candidates = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const match = candidates.find(({ route }) => route.method === method);
  return match ?? { allowed: candidates.map(({ route }) => route.method) };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split("/");
  const values = path.split("/");
  if (names.length !== values.length) return undefined;

  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? "";
    if (name.startsWith(":")) params[name.slice(1)] = decode(value);
    else if (name !== value) return undefined;
  }
  return params;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The request to the control API is invalid. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

/**
 * Reads a body that is a JSON object with certain fields. An empty body is an empty object.
 *
 * @throws {BadRequestError} when it is not a JSON object or has an unknown field.
 */
export async function readObject(request: Request, fields: readonly string[]): Promise<JsonObject> {
  const text = await request.text();
  const body = text.trim() === "" ? {} : parseJson(text);
  if (!isJsonObject(body)) throw new BadRequestError("The body must be a JSON object.");

  const unknown = Object.keys(body).find((key) => !fields.includes(key));
  if (unknown !== undefined) {
    throw new BadRequestError(`Unknown field ${unknown}; known fields: ${fields.join(", ") || "none"}.`);
  }
  return body;
}

/** Converts an error of a route or of the gateway. */
export function toErrorResponse(error: unknown): Response {
  if (!(error instanceof Error)) throw error;
  return failure(statusOf(error), error.message);
}

function statusOf(error: Error): number {
  if (error instanceof UnknownIdError) return 404;
  if (error instanceof ImpossibleMoveError) return 409;
  const isBadRequest = [BadRequestError, TypeError, RangeError].some((kind) => error instanceof kind);
  return isBadRequest ? 400 : 500;
}
