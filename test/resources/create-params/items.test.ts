import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfPix } from "../../support/recording-client.ts";

const ITEM = { title: "Livro", unitPrice: 1990, quantity: 1, tangible: true };

describe("items", () => {
  test("that are not an array are not sent", async () => {
    const issues = await issuesOfPix({ ...aPix(), items: { 0: ITEM, length: 1 } });

    expect(issues).toEqual([{ field: "items", message: "must be an array" }]);
  });

  test("may be empty", async () => {
    const body = await bodyOf("createCard", aCardPayment({ items: [] }));

    expect(body["items"]).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["null", null, "must be an object"],
    ["undefined", undefined, "is required"],
  ])("one of which is %s are not sent", async (_what, item, message) => {
    const issues = await issuesOfPix({ ...aPix(), items: [ITEM, item] });

    expect(issues).toEqual([{ field: "items.1", message }]);
  });

  test.each<[string, unknown, unknown]>([
    ["a URL", "https://loja.example/livro.png", "https://loja.example/livro.png"],
    ["an empty string", "", ""],
    ["undefined", undefined, undefined],
  ])("may have %s as product_image", async (_what, product_image, sent) => {
    const body = await bodyOf("createPix", { ...aPix(), items: [{ ...ITEM, product_image }] });

    expect(body["items"]).toEqual([{ ...ITEM, ...(sent !== undefined && { product_image: sent }) }]);
  });
});
