import type { Endpoint } from "../spec/endpoints.ts";
import type { Call } from "./call.ts";
import type { OwnAndForeign } from "./request-options.ts";

/** What goes out with a call: the callers' headers, the later before the earlier, and the SDK's own over them. */
export function headersOf(
  endpoint: Endpoint,
  { authorization, body }: Call<unknown>,
  foreign: readonly OwnAndForeign[],
): Record<string, string> {
  return {
    accept: endpoint.reply === "json" ? "application/json" : "text/plain, */*",
    ...Object.assign({}, ...foreign.map(({ headers }) => headers)),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(authorization !== undefined && { authorization }),
  };
}
