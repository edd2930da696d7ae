import type { Problem } from "./body-rules.ts";

/** The responses that several endpoints share. Spec: "Errors". */

export function failure(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ success: false, message }, { status, headers });
}

/** All problems of a body. Spec: "Errors", validation. */
export function validationError(errors: readonly Problem[]): Response {
  return Response.json({ success: false, message: "Validation Error", errors }, { status: 400 });
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
