import fc from "fast-check";
import { UntrustedPostbackError } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { aSigner, refusalOf } from "./support/signing.ts";

const signer = aSigner();
const order = fc.record({
  externalRef: fc.string({ minLength: 1, unit: "grapheme" }),
  amount: fc.integer({ min: 1, max: 2 ** 53 - 1 }),
});
const base = fc.constantFrom(
  "https://loja.example",
  "https://loja.example/postbacks?shop=5",
  "https://loja.example/p#part",
);
const character = fc.oneof(
  fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
  fc.constantFrom(" ", "\t", "\n", "\0", "+", "/", "=", "&", "?", "#", "%", ".", "é", "💳"),
);

describe("any signed URL", () => {
  test("is trusted for its own order", async () => {
    await fc.assert(
      fc.asyncProperty(base, order, async (url, its) => {
        const signed = await signer.sign(url, its);

        expect(await signer.verify(signed, its)).toEqual({ amountMatches: true });
      }),
    );
  });

  test("is refused for any other", async () => {
    await fc.assert(
      fc.asyncProperty(order, order, async (its, other) => {
        fc.pre(its.externalRef !== other.externalRef);
        const signed = await signer.sign("https://loja.example", its);

        expect(await refusalOf(signer.verify(signed, other))).toBe("other_order");
      }),
    );
  });

  test("is refused with any single character of what was added changed", async () => {
    await fc.assert(
      fc.asyncProperty(base, order, character, fc.nat(), async (url, its, instead, where) => {
        const signed = await signer.sign(url, its);
        const added = /[?&]pbsig=[\w.-]+/.exec(signed);
        const from = Number(added?.index);
        const at = from + (where % String(added?.[0]).length);
        fc.pre(signed[at] !== instead);

        const changed = signed.slice(0, at) + instead + signed.slice(at + 1);

        await expect(signer.verify(changed, its)).rejects.toBeInstanceOf(UntrustedPostbackError);
      }),
      { numRuns: 2_000 },
    );
  });

  test("cannot be written in another way: its last character has no spare bits", async () => {
    const its = { externalRef: "pedido-77", amount: 1 };
    const signed = await signer.sign("https://loja.example", its);
    const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].filter(
      (last) => last !== signed.at(-1),
    );

    const reasons = await Promise.all(
      others.map((last) => refusalOf(signer.verify(signed.slice(0, -1) + last, its))),
    );

    expect(reasons).toEqual(others.map(() => "bad_signature"));
  });

  test("any text in its place ends in a refusal", async () => {
    const its = { externalRef: "pedido-77", amount: 1 };
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.webUrl({ withQueryParameters: true }));

    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (any, asToken) => {
        const url = asToken ? `/p?pbsig=${any}` : any;

        await expect(signer.verify(url, its)).rejects.toBeInstanceOf(UntrustedPostbackError);
      }),
      { numRuns: 500 },
    );
  });
});
