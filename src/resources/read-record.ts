import { isRecord } from "../data/own.ts";
import { typeName } from "../data/read-fields.ts";
import type { Deviate } from "../http/call.ts";

/** The object in a field; another value there is told as a deviation. */
export function recordOr(
  value: unknown,
  field: string,
  deviate: Deviate,
): Record<string, unknown> | undefined {
  if (isRecord(value)) return value;
  deviate({ field, message: `came as ${typeName(value)}` });
  return undefined;
}
