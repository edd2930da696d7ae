import type { Problem } from "./validation.ts";

/** The responses that several endpoints share. Spec: "Errors". */

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

export function failure(status: number, message: string, headers?: Record<string, string>): Response {
  return json({ success: false, message }, status, headers);
}

/** All problems of a body. Spec: "Errors", validation. */
export function validationError(errors: readonly Problem[]): Response {
  return json({ success: false, message: "Validation Error", errors }, 400);
}

/** Spec: "Errors", authentication. Shown for creating a transaction; the other endpoints return the same. */
export function unauthorized(): Response {
  return failure(401, "Unauthorized");
}

export function notFound(): Response {
  return failure(404, "Not Found");
}

/** @param allowed the methods of the path. */
export function methodNotAllowed(allowed: readonly string[]): Response {
  return failure(405, "Method Not Allowed", { allow: allowed.join(", ") });
}

/** Spec: "Limits". `Retry-After` is an addition: the specification shows no header. */
export function tooManyRequests(retryAfterSeconds: number): Response {
  return failure(429, "Too Many Requests", { "retry-after": String(retryAfterSeconds) });
}
