/**
 * Functions that read own properties only. A prototype that other code has polluted could otherwise configure a client,
 * or approve a payment.
 */

/** The value of an own property; `undefined` if it is missing or inherited. */
export function ownProperty(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

/** A copy that has all of `names` as own properties, `undefined` if they are missing. */
export function withOwn<Value extends object>(object: Value, names: readonly string[]): Value {
  const missing: Record<string, undefined> = {};
  for (const name of names) missing[name] = undefined;
  return { ...missing, ...object };
}

/** Objects that inherit nothing. Unlike those of `Object.create(null)`, they are as fast as object literals. */
function Bare() {}
Bare.prototype = Object.create(null);
export const PlainObject = Bare as unknown as new () => Record<string, unknown>;

/** A copy that inherits nothing. */
export function withoutPrototype<Value extends object>(object: Value): Value {
  return Object.assign(new PlainObject(), object) as Value;
}

/** Whether a value is an object other than an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value, which may be a function, has methods. Inherited ones count. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  return isObject && names.every((name) => typeof Reflect.get(value, name) === "function");
}

/** Node's name for a method that `util.inspect` and `console.log` call; a registered symbol, so no import. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");
