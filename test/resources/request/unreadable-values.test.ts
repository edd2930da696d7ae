import type { CardParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCard, aPix, failureOf } from "../../support/merchant.ts";
import { issuesOfCard, issuesOfPix, recordingClient, wireOf } from "../../support/recording-client.ts";

const explode = (): never => {
  throw new Error("canary");
};
const UNREADABLE = "could not be read";

/** An object that has one more member, read by a getter. */
const withGetter = (object: object, name: string, get: () => unknown) =>
  Object.defineProperty({ ...object }, name, { get, enumerable: true });

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

describe("what cannot be read is an issue, and hides no other", () => {
  test.each<[string, unknown, string[]]>([
    ["a getter of the parameters", withGetter(aPix(), "ip", explode), ["ip"]],
    [
      "a getter inside metadata",
      { ...aPix(), metadata: { a: withGetter({}, "b", explode) } },
      ["metadata.a.b"],
    ],
    [
      "a getter of an unknown name, and a wrong amount",
      withGetter({ ...aPix(), amount: 0 }, "colour", explode),
      ["colour", "amount"],
    ],
    ["a proxy that has no keys", new Proxy(aPix(), { ownKeys: explode }), [""]],
    ["a proxy that has no values", { ...aPix(), items: new Proxy([], { get: explode }) }, ["items"]],
    ["a proxy that is in nothing", { ...aPix(), metadata: new Proxy({}, { has: explode }) }, ["metadata"]],
    [
      "a getter of what becomes JSON by itself",
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

  test.each([
    ["a field of a card", withGetter(aCard(), "number", explode), "number"],
    ["an unknown field of a card", withGetter(aCard(), "colour", explode), ""],
  ])("%s", async (_what, card, field) => {
    const { payments, sent } = recordingClient();

    const error = await failureOf(payments.cardTokens.create(card as CardParams));

    expect(error).toMatchObject({ code: "invalid_request", issues: [{ field, message: UNREADABLE }] });
    expect(sent).toEqual([]);
  });

  test("a proxy whose target is gone", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    const asParams = await issuesOfPix(proxy);
    const asField = await issuesOfPix({ ...aPix(), pix: proxy });

    expect(asParams.map(({ field }) => field)).toContain("");
    expect(asField).toEqual([{ field: "pix", message: UNREADABLE }]);
  });
});

describe("each value is read once", () => {
  test("so that a getter which changes its mind cannot get past the check", async () => {
    let reads = 0;
    const changing = withGetter(aPix(), "amount", () => {
      reads += 1;
      return reads === 1 ? 1990 : -1;
    });

    const body = await wireOf("createPix", changing);

    expect(body["amount"]).toBe(1990);
    expect(reads).toBe(1);
  });
});

describe("what has no end is refused", () => {
  test("metadata inside itself", async () => {
    const cart: Record<string, unknown> = { id: 7 };
    cart["order"] = { carts: [cart] };

    const issues = await issuesOfPix({ ...aPix(), metadata: cart });

    expect(issues).toEqual([{ field: "metadata.order.carts.0", message: "must not contain itself" }]);
  });

  test("but the same value twice is no cycle", async () => {
    const shared = { id: 7 };

    const body = await wireOf("createPix", { ...aPix(), metadata: { a: shared, b: [shared] } });

    expect(body["metadata"]).toBe('{"a":{"id":7},"b":[{"id":7}]}');
  });

  test.each([
    [63, true], // the parameters are the 64th
    [64, false],
    [10_000, false],
  ])("%d levels of metadata are sent: %s", async (depth, sent) => {
    const params = { ...aPix(), metadata: nested(depth) };

    const issues = sent ? [] : await issuesOfPix(params);
    const body = sent ? await wireOf("createPix", params) : {};

    expect(issues.map(({ message }) => message)).toEqual(sent ? [] : ["is nested too deeply"]);
    expect("metadata" in body).toBe(sent);
  });

  test.each<[string, () => unknown]>([
    ["an array with one entry at the end of the numbers", () => Object.assign([], { length: 2 ** 32 - 1 })],
    [
      "an object with too many names",
      () => Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 1])),
    ],
    [
      "a hundred values that share a hundred that share a hundred",
      () => {
        const share = (value: unknown) => Array.from({ length: 100 }, () => value);
        return share(share(share(1)));
      },
    ],
  ])("%s", async (_what, make) => {
    const issues = await issuesOfPix({ ...aPix(), metadata: { list: make() } });

    expect(issues[0]?.message).toBe("holds too many values");
  });
});

describe("half of a surrogate pair is refused wherever it stands", () => {
  const HALF = "must not contain half of a surrogate pair";

  test.each<[string, object]>([
    ["customer.name", { customer: { ...aPix().customer, name: "Ana \ud83d" } }],
    ["externalRef", { externalRef: "\udcb3\ud83d" }],
    ["items.0.title", { items: [{ title: "\udfff", unitPrice: 1, quantity: 1, tangible: true }] }],
    ["metadata.list.0", { metadata: { list: ["\ud800"] } }],
    ["metadata.\ud800", { metadata: { "\ud800": 1 } }],
    ["\udc00", { "\udc00": 1 }],
  ])("%j", async (field, part) => {
    const issues = await issuesOfPix({ ...aPix(), ...part });

    expect(issues).toContainEqual({ field, message: HALF });
  });
});

describe("parameters that are none", () => {
  test.each<[string, unknown]>([
    ["null", null],
    ["a function", () => aPix()],
    ["an array", [aPix()]],
  ])("%s", async (_what, params) => {
    const pix = await issuesOfPix(params);
    const card = await issuesOfCard(params);

    expect(pix).toEqual([{ field: "", message: "must be an object" }]);
    expect(card).toEqual(pix);
  });
});
