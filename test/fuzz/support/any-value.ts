import fc from "fast-check";

const explode = (): never => {
  throw new TypeError("canary");
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const self: Record<string, unknown> = { a: 1 };
  self["self"] = self;
  return self;
}

/** Values that nobody means to pass in, and that come all the same. */
const STRANGE: readonly (() => unknown)[] = [
  revoked,
  cycle,
  () => new Proxy({}, { get: explode, has: explode, ownKeys: explode, getPrototypeOf: explode }),
  () => new Proxy([], { get: explode }),
  () => Object.defineProperty({}, "amount", { get: explode, enumerable: true }),
  () => ({ toJSON: explode }),
  () => ({ toJSON: () => undefined, toString: explode, valueOf: explode }),
  () => Object.create(null),
  () => Symbol("canary"),
  () => () => 1990,
  () => class {},
  () => new Date(Number.NaN),
  () => /x/g,
  () => Object("boxed"),
  () => Promise.resolve(1),
  () => new WeakMap(),
  () => new Uint8Array(4),
  () => "\ud800",
  () => 1990n,
  () => -0,
  () => 2 ** 53,
];

/** A value that is made when it is needed: fast-check itself would trip over some of them. */
export class Made {
  /** What a failure shows. */
  readonly shown: unknown;
  readonly make: () => unknown;

  constructor(shown: unknown, make: () => unknown) {
    this.shown = shown;
    this.make = make;
  }
}

const plainValue: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true }),
  },
  { weight: 2, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.oneof(fc.string({ unit: "binary" }), fc.integer(), fc.double(), fc.boolean()),
  },
);

/** Any value of JavaScript, or those of `others`. */
export function anyValue(others: fc.Arbitrary<unknown> = plainValue): fc.Arbitrary<Made> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(plainValue, others).map((value) => new Made(value, () => value)) },
    { weight: 1, arbitrary: fc.constantFrom(...STRANGE).map((make) => new Made(String(make), make)) },
  );
}

/** The values of a dictionary, made. */
export function makeAll(made: Readonly<Record<string, Made>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, value.make()]));
}

/** One path into an object, and what is put there. */
export interface Mutation {
  readonly path: readonly string[];
  /** `undefined` takes the field away. */
  readonly value: unknown;
}

/** Every path into an object, its arrays included. */
export function pathsOf(value: unknown, above: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [
    [...above, key],
    ...pathsOf(entry, [...above, key]),
  ]);
}

/** A copy with some of its fields replaced. */
export function mutate<Value>(value: Value, mutations: readonly Mutation[]): Value {
  const copy = structuredClone(value);
  for (const { path, value: replacement } of mutations) {
    let holder: unknown = copy;
    for (const step of path.slice(0, -1)) holder = stepInto(holder, step);
    const last = path.at(-1);
    if (last === undefined || !isHolder(holder) || Object.isFrozen(holder)) continue;
    if (replacement === undefined) Reflect.deleteProperty(holder, last);
    else
      Object.defineProperty(holder, last, {
        value: replacement,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}

function stepInto(holder: unknown, step: string): unknown {
  try {
    return isHolder(holder) ? holder[step] : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Record<string, unknown> {
  const prototype = typeof value === "object" && value !== null ? safePrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === Array.prototype;
}

function safePrototypeOf(value: object): unknown {
  try {
    return Object.getPrototypeOf(value);
  } catch {
    return undefined;
  }
}
