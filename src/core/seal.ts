import { INSPECT } from "./inspect.ts";
import { STRUCK } from "./redaction.ts";

type Show = (value: unknown, options: object) => string;

/** Shows a result as a copy of it from which something was taken away. */
type Inspector = (this: object, depth: number, options: object, show: Show) => string;

/** An inspector that shows what `hide` makes of a result. */
export function inspectorOf<Result extends object>(hide: (result: Result) => object): Inspector {
  return function (this: object, _depth, options, show) {
    return show(hide(this as Result), options);
  };
}

const withoutPostbackUrl = inspectorOf((result) =>
  "postBackUrl" in result ? { ...result, postBackUrl: STRUCK } : { ...result },
);

/**
 * Adds the body as it came to a result, out of sight: neither JSON nor a copy made by spreading has it,
 * and `util.inspect` shows neither it nor what `inspector` takes away: a postback URL may be signed, and is then
 * a credential.
 */
export function seal<Result extends object>(
  result: Result,
  raw: unknown,
  inspector: Inspector = withoutPostbackUrl,
): Result & { readonly raw: unknown } {
  Object.defineProperty(result, "raw", { value: raw });
  Object.defineProperty(result, INSPECT, { value: inspector });
  return result as Result & { readonly raw: unknown };
}
