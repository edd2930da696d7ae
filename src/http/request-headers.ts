import type { Endpoint } from "../spec/endpoints.ts";
import type { Call } from "./call.ts";
import type { OwnAndForeign } from "./request-options.ts";

/** What goes out with a call: the callers' headers, the later before the earlier, and the SDK's own over them. */
export function headersOf(
  endpoint: Endpoint,
  { authorization, body }: Call<unknown>,
  foreign: readonly OwnAndForeign[],
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: endpoint.reply === "json" ? "application/json" : "text/plain, */*",
  };
  for (const theirs of foreign) Object.assign(headers, theirs.headers);
  if (body !== undefined) headers["content-type"] = "application/json";
  if (authorization !== undefined) headers["authorization"] = authorization;
  return headers;
}
