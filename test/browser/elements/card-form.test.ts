import { InvalidRequestError } from "payments-sdk/browser";
import type { PaymentCardForm } from "payments-sdk/elements";
import "payments-sdk/elements";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

const GOOD = { number: "4111 1111 1111 1111", holder: "MARIA EXEMPLO", expiry: "12/39", code: "123" };

afterEach(() => document.body.replaceChildren());

/** A form in the page, with a card form that uses the sandbox. */
function addForm(
  attributes: Record<string, string> = {},
  html = "",
): { form: HTMLFormElement; card: PaymentCardForm } {
  const { baseUrl, publicKey } = inject("sandbox");
  const form = document.createElement("form");
  form.innerHTML = html;
  const card = document.createElement("payment-card-form") as PaymentCardForm;
  const all = { lang: "pt-BR", name: "token", "base-url": baseUrl, "public-key": publicKey, ...attributes };
  for (const [name, value] of Object.entries(all)) card.setAttribute(name, value);
  form.append(card);
  form.insertAdjacentHTML("beforeend", "<button>Pagar</button>");
  document.body.append(form);
  return { form, card };
}

const inputOf = (card: Element, name: string) =>
  card.querySelector(`.payment-${name} input`) as HTMLInputElement;

const errorsOf = (card: Element) =>
  Object.fromEntries(
    Object.keys(GOOD).map((name) => [
      name,
      card.querySelector(`.payment-${name} .payment-error`)?.textContent,
    ]),
  );

const statusOf = (card: Element) => card.querySelector("[role=status]")?.textContent;

async function fillIn(card: Element, texts: Partial<typeof GOOD> = {}): Promise<void> {
  for (const [name, text] of Object.entries({ ...GOOD, ...texts })) {
    inputOf(card, name).focus();
    if (text !== "") await userEvent.keyboard(text.replaceAll(" ", name === "holder" ? " " : ""));
  }
}

/** Listens to the submits that the page sees, with the token that each one has. */
function watchSubmits(form: HTMLFormElement): (FormDataEntryValue | null)[] {
  const seen: (FormDataEntryValue | null)[] = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    seen.push(new FormData(form).get("token"));
  });
  return seen;
}

const press = (form: HTMLFormElement) => form.querySelector("button")?.click();

test("tokenize resolves with a token and emits it", async () => {
  const { card } = addForm();
  const listener = vi.fn();
  card.addEventListener("payment-token", listener);
  await fillIn(card);

  const token = await card.tokenize();

  expect(card.token).toBe(token);
  expect(card.value).toBe(token.value);
  expect(listener.mock.calls[0]?.[0].detail.token).toBe(token);
});

test("a submit waits for the token and reaches the page once, with it", async () => {
  const { form, card } = addForm();
  const seen = watchSubmits(form);
  await fillIn(card);

  press(form);
  press(form);

  await expect.poll(() => seen).toHaveLength(1);
  expect(seen).toEqual([card.value]);
  expect([...new FormData(form)]).toEqual([["token", card.value]]);
});

test("empty fields: each has its own message, and the first gets the focus", async () => {
  const { card } = addForm();

  const error = await card.tokenize().catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(errorsOf(card)).toEqual({
    number: "Preencha o número do cartão.",
    holder: "Preencha o nome impresso no cartão.",
    expiry: "Preencha a validade.",
    code: "Preencha o código de segurança.",
  });
  expect(document.activeElement).toBe(inputOf(card, "number"));
  expect(statusOf(card)).toBe("Confira os campos marcados. Nada foi cobrado.");
});

describe("typing", () => {
  test.each([
    ["number", "4111111111111111", "4111 1111 1111 1111"],
    ["number", "4111111{Backspace}{Backspace}{Backspace}{Backspace}", "411"],
    ["expiry", "439", "04/39"],
    ["expiry", "12{Backspace}", "1"],
    ["expiry", "12/2039", "12/39"],
    ["code", "12a345", "1234"],
  ])("%s: %s gives %s", async (name, keys, value) => {
    const { card } = addForm();
    inputOf(card, name).focus();

    await userEvent.keyboard(keys);

    expect(inputOf(card, name).value).toBe(value);
  });
});
