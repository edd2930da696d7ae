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

/** Values that are only passed in by mistake. */
const UNUSUAL_VALUES: readonly (() => unknown)[] = [
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

/** A value that is created when it is needed, because fast-check cannot handle some of them. */
export class Generated {
  /** A description for the report of a failure. */
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

/** Any JavaScript value, or one of `others`. */
export function anyValue(others: fc.Arbitrary<unknown> = plainValue): fc.Arbitrary<Generated> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(plainValue, others).map((value) => new Generated(value, () => value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...UNUSUAL_VALUES).map((make) => new Generated(String(make), make)),
    },
  );
}

/** A path into an object, and the new value there. */
export interface Mutation {
  readonly path: readonly string[];
  /** `undefined` removes the field. */
  readonly value: unknown;
}

/** Every path into an object, its arrays included. */
export function pathsOf(value: unknown, parentPath: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [
    [...parentPath, key],
    ...pathsOf(entry, [...parentPath, key]),
  ]);
}

/** A copy with some of its fields replaced. */
export function mutate<Value>(value: Value, mutations: readonly Mutation[]): Value {
  const copy = structuredClone(value);
  for (const { path, value: replacement } of mutations) {
    let parent: unknown = copy;
    for (const step of path.slice(0, -1)) parent = stepInto(parent, step);
    const last = path.at(-1);
    if (last === undefined || !isContainer(parent) || Object.isFrozen(parent)) continue;
    if (replacement === undefined) Reflect.deleteProperty(parent, last);
    else
      Object.defineProperty(parent, last, {
        value: replacement,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}

function stepInto(parent: unknown, step: string): unknown {
  try {
    return isContainer(parent) ? parent[step] : undefined;
  } catch {
    return undefined;
  }
}

function isContainer(value: unknown): value is Record<string, unknown> {
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
