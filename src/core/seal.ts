import { INSPECT } from "./inspect.ts";
import { STRUCK } from "./redaction.ts";

function hidePostbackUrl(result: object): object {
  return "postBackUrl" in result ? { ...result, postBackUrl: STRUCK } : { ...result };
}

type Inspect = (value: unknown, options: object) => string;

/**
 * Adds the body as it came to a result, out of sight: neither JSON nor a copy made by spreading has it,
 * and `util.inspect` shows neither it nor what `hide` takes away: a postback URL may be signed, and is then
 * a credential.
 */
export function seal<Result extends object>(
  result: Result,
  raw: unknown,
  hide: (result: Result) => object = hidePostbackUrl,
): Result & { readonly raw: unknown } {
  const inspect = (_depth: number, options: object, show: Inspect): string => show(hide(result), options);
  return Object.defineProperties(result, {
    raw: { value: raw, enumerable: false },
    [INSPECT]: { value: inspect, enumerable: false },
  }) as Result & { readonly raw: unknown };
}
