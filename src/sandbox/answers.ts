import type { Problem } from "./wire-rules.ts";

/** The answers that more than one endpoint gives. Spec: "Errors". */

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** Every problem of a body at once. Spec: "Errors", validation. */
export function validationError(errors: readonly Problem[]): Response {
  return json({ success: false, message: "Validation Error", errors }, 400);
}

/** Spec: "Errors", authentication. Shown for creation only; the other endpoints answer alike. */
export function unauthorized(): Response {
  return failure(401, "Unauthorized");
}

export function notFound(): Response {
  return failure(404, "Not Found");
}

/** @param allowed the methods that the path knows. */
export function methodNotAllowed(allowed: readonly string[]): Response {
  return failure(405, "Method Not Allowed", { allow: allowed.join(", ") });
}

/** Spec: "Limits", exceeding either. `Retry-After` is an addition: the specification shows no header. */
export function tooManyRequests(retryAfterSeconds: number): Response {
  return failure(429, "Too Many Requests", { "retry-after": String(retryAfterSeconds) });
}

function failure(status: number, message: string, headers?: Record<string, string>): Response {
  return json({ success: false, message }, status, headers);
}
