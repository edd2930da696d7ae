import { describe, expect, test } from "vitest";
import { aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfPix } from "../../support/recording-client.ts";

const explode = (): never => {
  throw new Error("canary");
};
const UNREADABLE = "could not be read";

/** A copy of an object with one more property, a getter. */
const withGetter = (object: object, name: string, get: () => unknown) =>
  Object.defineProperty({ ...object }, name, { get, enumerable: true });

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

describe("an object whose data JSON would lose", () => {
  class WithGetter {
    get note() {
      return "lost";
    }
  }
  class Empty {
    note?: string;
  }

  test.each<[string, unknown]>([
    ["a Map", new Map([["note", "lost"]])],
    ["an instance with an inherited getter", new (class extends WithGetter {})()],
    ["an object with inherited data", Object.create({ note: "lost" })],
  ])("is refused: %s", async (_what, note) => {
    expect(await issuesOfPix({ ...aPix(), metadata: { note } })).toEqual([
      { field: "metadata.note", message: "must be a plain object" },
    ]);
  });

  test("is not an instance of a class without data, nor a date", async () => {
    const { pix, metadata } = await bodyOf("createPix", {
      ...aPix(),
      pix: new Empty(),
      metadata: { at: new Date(0), empty: new Empty(), none: Object.create({}) },
    });

    expect(pix).toEqual({});
    expect(JSON.parse(String(metadata))).toEqual({ at: "1970-01-01T00:00:00.000Z", empty: {}, none: {} });
  });
});

describe("a value that cannot be read is an issue, and does not hide others", () => {
  test.each<[string, unknown, string[]]>([
    ["a getter of the parameters", withGetter(aPix(), "ip", explode), ["ip"]],
    [
      "a getter of an unknown name, and a wrong amount",
      withGetter({ ...aPix(), amount: 0 }, "colour", explode),
      ["colour", "amount"],
    ],
    ["a proxy whose keys cannot be read", new Proxy(aPix(), { ownKeys: explode }), [""]],
    ["a proxy whose values cannot be read", { ...aPix(), items: new Proxy([], { get: explode }) }, ["items"]],
    ["a proxy that throws for `in`", { ...aPix(), metadata: new Proxy({}, { has: explode }) }, ["metadata"]],
    [
      "a getter of an object with toJSON",
      { ...aPix(), customer: withGetter({ toJSON: () => ({}) }, "name", explode) },
      [""],
    ],
  ])("%s", async (_what, params, fields) => {
    const issues = await issuesOfPix(params);

    const found = issues.filter(
      ({ message }) => message === UNREADABLE || message.startsWith("must be a whole"),
    );
    expect(found.map(({ field }) => field)).toEqual(fields);
    expect(JSON.stringify(issues)).not.toContain("canary");
  });
});

test("each value is read once, so that a getter cannot return another value after the check", async () => {
  let reads = 0;
  const changing = withGetter(aPix(), "amount", () => {
    reads += 1;
    return reads === 1 ? 1990 : -1;
  });

  const body = await bodyOf("createPix", changing);

  expect(body["amount"]).toBe(1990);
  expect(reads).toBe(1);
});

describe("values without an end are not sent", () => {
  const share = (value: unknown) => Array.from({ length: 100 }, () => value);

  test("metadata that contains itself; but the same value may appear twice", async () => {
    const shared = { id: 7 };
    const cart = { id: 7, order: { carts: [] as unknown[] } };
    cart.order.carts.push(cart);

    const issues = await issuesOfPix({ ...aPix(), metadata: cart });
    const body = await bodyOf("createPix", { ...aPix(), metadata: { a: shared, b: [shared] } });

    expect(issues).toEqual([{ field: "metadata.order.carts.0", message: "must not contain itself" }]);
    expect(body["metadata"]).toBe('{"a":{"id":7},"b":[{"id":7}]}');
  });

  test.each([
    [63, true], // the parameters are the 64th level
    [64, false],
    [10_000, false],
  ])("%d levels of metadata are sent: %s", async (depth, isSent) => {
    const params = { ...aPix(), metadata: nested(depth) };

    const issues = isSent ? [] : await issuesOfPix(params);
    const body = isSent ? await bodyOf("createPix", params) : {};

    expect(issues.map(({ message }) => message)).toEqual(isSent ? [] : ["is nested too deeply"]);
    expect("metadata" in body).toBe(isSent);
  });

  test.each<[string, () => unknown]>([
    ["an array of the maximum length", () => Object.assign([], { length: 2 ** 32 - 1 })],
    [
      "an object with too many names",
      () => Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 1])),
    ],
    ["a million values in shared arrays", () => share(share(share(1)))],
  ])("%s", async (_what, make) => {
    const issues = await issuesOfPix({ ...aPix(), metadata: { list: make() } });

    expect(issues[0]?.message).toBe("contains too many values");
  });
});

test.each([[null], [() => aPix()], [[aPix()]]])("parameters must be an object: %o", async (params) => {
  expect(await issuesOfPix(params)).toEqual([{ field: "", message: "must be an object" }]);
});
