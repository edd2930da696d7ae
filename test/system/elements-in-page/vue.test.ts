import type { InvalidRequestError } from "payments-sdk/browser";
import "payments-sdk/elements/vue";
import { afterEach, expect, test, vi } from "vitest";
import { h, render } from "vue";

afterEach(() => render(null, document.body));

/** What Vue compiles `<payment-... :name="value" />` to. */
function show<Tag extends "payment-card-form" | "payment-pix">(tag: Tag, props: object) {
  render(h(tag, props), document.body);
  return document.body.firstElementChild as HTMLElementTagNameMap[Tag];
}

test("Vue sets what is not a text by its name in a template: options of the tokenizer, and a Date", async () => {
  const tokenizerOptions = { timeout: 5_000 };

  expect(show("payment-card-form", { "tokenizer-options": tokenizerOptions }).tokenizerOptions).toEqual(
    tokenizerOptions,
  );
  const expiresAt = new Date("2039-01-01T12:00:00Z");
  expect(show("payment-pix", { "expires-at": expiresAt }).expiresAt).toBe("2039-01-01T12:00:00.000Z");
});

test("options of the tokenizer that are an attribute are a wrong setting, not ignored", async () => {
  const card = show("payment-card-form", { "base-url": "https://api.example", "public-key": "pk_1" });
  card.setAttribute("tokenizer-options", String({ timeout: 5_000 }));
  const values = { number: "4111111111111111", holder: "MARIA EXEMPLO", expiry: "12/39", code: "123" };
  for (const [name, value] of Object.entries(values)) {
    const input = card.querySelector(`.payment-${name} input`) as HTMLInputElement;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const fetch = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));

  const error = await card.tokenize().catch((reason: InvalidRequestError) => reason);

  expect(error).toMatchObject({
    code: "configuration",
    message: expect.stringContaining("not an attribute"),
  });
  expect(fetch).not.toHaveBeenCalled();
});
