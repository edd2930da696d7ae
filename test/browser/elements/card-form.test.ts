import type { CardTokenizerOptions, InvalidRequestError } from "payments-sdk/browser";
import type { PaymentCardForm } from "payments-sdk/elements";
import "payments-sdk/elements";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { userEvent } from "vitest/browser";

const GOOD = { number: "4111 1111 1111 1111", holder: "MARIA EXEMPLO", expiry: "12/39", code: "123" };
const NAMES = Object.keys(GOOD);
const NO_TEXTS = ["", "", "", ""];

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** A form with a completed card form that uses the sandbox; `seen` has the token of each submit that the page sees. */
function aForm(texts: Partial<typeof GOOD> = {}, tokenizerOptions: Partial<CardTokenizerOptions> = {}) {
  const { baseUrl, publicKey } = inject("sandbox");
  const form = document.createElement("form");
  const card = document.createElement("payment-card-form") as PaymentCardForm;
  Object.assign(card, { lang: "pt-BR", name: "token", baseUrl, publicKey, tokenizerOptions });
  form.append(card, document.createElement("button"));
  document.body.append(form);
  const seen: unknown[] = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    seen.push(new FormData(form).get("token"));
  });
  fillIn(card, { ...GOOD, ...texts });
  return { form, card, seen, submit: () => form.querySelector("button")?.click() };
}

const inputOf = (card: Element, name: string) =>
  card.querySelector(`.payment-${name} input`) as HTMLInputElement;

/** Fills in fields as a browser does; how they are typed has tests of its own. */
function fillIn(card: Element, texts: Partial<typeof GOOD>): void {
  for (const [name, text] of Object.entries(texts)) {
    inputOf(card, name).value = text;
    inputOf(card, name).dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const textsOf = (card: Element) => NAMES.map((name) => inputOf(card, name).value);
const errorsOf = (card: Element) =>
  NAMES.map((name) => card.querySelector(`.payment-${name} .payment-error`)?.textContent);
const statusOf = (card: Element) => card.querySelector("[role=status]")?.textContent;
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: InvalidRequestError) => error,
  );

describe("the token of a submit", () => {
  /** A service whose tokens have a lifetime in seconds. */
  const tokensOf = (seconds: number) => {
    const iat = Math.floor(Date.now() / 1000);
    const claims = () => btoa(JSON.stringify({ iat, exp: iat + seconds, id: Math.random() }));
    return vi.fn(async () => new Response(`e30.${claims()}.x`));
  };

  test("is waited for, once, and is all of the form's data", async () => {
    const { form, card, seen, submit } = aForm();

    submit();
    submit();

    await expect.poll(() => seen).toHaveLength(1);
    expect([...new FormData(form)]).toEqual([["token", card.value]]);
    expect(seen).toEqual([card.token?.value]);
  });

  test.each([
    ["is used if it is fresh", 300, 1],
    ["is replaced if it expires within 30 seconds", 29, 2],
  ])("%s", async (_, seconds, requests) => {
    const fetch = tokensOf(seconds);
    const { card, seen, submit } = aForm({}, { fetch });
    await card.tokenize();

    submit();
    await expect.poll(() => [seen.length, fetch.mock.calls.length]).toEqual([1, requests]);

    submit(); // a token is used once
    await expect.poll(() => [new Set(seen).size, fetch.mock.calls.length]).toEqual([2, requests + 1]);
  });

  test("is sent once if the page submits the form as soon as there is a token", async () => {
    const { form, card, seen, submit } = aForm();
    card.addEventListener("payment-token", () => form.requestSubmit());

    submit();
    const token = await card.tokenize();
    await new Promise(requestAnimationFrame);

    expect(seen).toEqual([token.value]);
  });

  test.each<[string, (card: PaymentCardForm) => void]>([
    ["a field changes", (card) => fillIn(card, { holder: "MARIA" })],
    ["the account changes", (card) => card.setAttribute("public-key", "pk_other")],
    ["the security code is cleared", (card) => card.clearSecurityCode()],
  ])("is dropped when %s", async (_, change) => {
    const { form, card } = aForm();
    await card.tokenize();

    change(card);

    expect([card.token, card.value, new FormData(form).get("token")]).toEqual([undefined, "", null]);
  });

  test.each<[string, (card: PaymentCardForm) => void]>([
    ["disabled", (card) => card.toggleAttribute("disabled")],
    ["outside of the form", (card) => document.body.append(card)],
    ["without a name", (card) => card.removeAttribute("name")],
  ])("is not waited for by an element %s", (_, change) => {
    const { card, seen, submit } = aForm();
    change(card);

    submit();

    expect(seen).toEqual([null]);
  });
});

describe("a wrong field is found before the service is asked", () => {
  test.each([
    [{ number: "" }, ["number"], "Preencha o número do cartão."],
    [{ number: "4111" }, ["number"], "Confira o número do cartão."],
    [{ number: "4111111111111112" }, ["number"], "Confira o número do cartão."],
    [{ holder: "4111" }, ["holderName"], "Confira o nome impresso no cartão."],
    [{ expiry: "13/39" }, ["expirationMonth", "expirationYear"], "Confira a validade."],
    [{ expiry: "10/26" }, ["expirationYear"], "Este cartão está vencido."],
    [{ code: "1234" }, ["cvv"], "Confira o código de segurança."],
    [{ number: "378282246310005" }, ["cvv"], "Confira o código de segurança."], // Amex has four
    [{ number: "6011000990139424", code: "12" }, ["cvv"], "Confira o código de segurança."],
  ])("%j", async (texts, fields, message) => {
    const fetch = vi.fn();
    const { card } = aForm(texts, { fetch });

    const error = await caught(card.tokenize());

    expect(error).toMatchObject({ code: "invalid_request", actor: "customer" });
    expect((error as InvalidRequestError).issues.map(({ field }) => field)).toEqual(fields);
    expect(errorsOf(card).filter((text) => text !== "")).toEqual([message]);
    expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
    expect(fetch).not.toHaveBeenCalled();
  });

  test("a number with a wrong check digit is sent the second time, unless it changes", async () => {
    const { card } = aForm({ number: "4024007153763191" });
    await caught(card.tokenize());
    fillIn(card, { number: "4024007153763192" });

    expect(await caught(card.tokenize())).toMatchObject({ code: "invalid_request" });
    expect(await caught(card.tokenize())).toBe("resolved");
  });
});

describe("errors beside the fields", () => {
  test("appear after a field was completed wrongly, not after an empty one, until it changes", async () => {
    const { card } = aForm({ number: "", holder: "" });
    inputOf(card, "number").focus();
    await userEvent.keyboard("4111{Tab}{Tab}");
    expect(errorsOf(card)).toEqual(["Confira o número do cartão.", "", "", ""]);

    inputOf(card, "number").focus();
    await userEvent.keyboard("1");

    expect(errorsOf(card)).toEqual(NO_TEXTS);
  });

  test("appear at a submit that the browser refuses", () => {
    const { card, submit } = aForm({ holder: "" });

    submit();

    expect(card.validity.valueMissing).toBe(true);
    expect(errorsOf(card)).toEqual(["", "Preencha o nome impresso no cartão.", "", ""]);
    expect(document.activeElement).toBe(inputOf(card, "holder"));
  });

  test("do not take the focus from another field of the form", () => {
    const { form } = aForm({ holder: "" });
    const other = document.createElement("input");
    form.prepend(other);
    other.focus();

    form.checkValidity();

    expect(document.activeElement).toBe(other);
  });
});

describe("an error of the service", () => {
  const respond = (status: number, body: unknown) => async () => Response.json(body, { status });

  test("is shown beside the fields that it names", async () => {
    const errors = [{ field: "card.expiration_month", message: "invalid" }];
    const { card } = aForm({}, { fetch: respond(400, { success: false, errors }) });

    await caught(card.tokenize());

    expect(errorsOf(card)).toEqual(["", "", "Confira a validade.", ""]);
    expect(document.activeElement).toBe(inputOf(card, "expiry"));
  });

  test.each([
    ["customer", respond(400, {}), "O cartão não foi aceito."],
    ["merchant", respond(401, {}), "O pagamento com cartão não está disponível agora."],
    ["service", respond(500, {}), "O pagamento com cartão não está disponível agora."],
    ["network", () => Promise.reject(new TypeError("failed")), "O serviço não respondeu."],
    ["network", undefined, "Você está sem internet."],
  ])("that the %s can fix is explained, with what was not charged", async (actor, fetch, text) => {
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("failed"));
    const { card } = aForm({}, { fetch, maxRetries: 0 });

    const error = await caught(card.tokenize());

    expect(error).toMatchObject({ actor });
    expect(statusOf(card)).toMatch(new RegExp(`^${text}.*Nada foi cobrado\\.$`));
  });
});

describe("the element in the page", () => {
  test.each<[string, (form: HTMLFormElement) => void]>([
    ["a reset of the form", (form) => form.reset()],
    ["leaving the page", () => globalThis.dispatchEvent(new Event("pagehide"))],
  ])("%s clears everything, for undo as well", async (_, clear) => {
    const { form, card } = aForm();
    await card.tokenize();
    fillIn(card, { code: "12" });
    await caught(card.tokenize());

    clear(form);
    inputOf(card, "number").focus();
    await userEvent.keyboard("{Control>}z{/Control}");

    const texts = [textsOf(card), errorsOf(card), card.value, statusOf(card)];
    expect(texts).toEqual([NO_TEXTS, NO_TEXTS, "", ""]);
  });

  test("a reset while the token is requested ends the request, and the submit", async () => {
    const { card, seen, submit } = aForm();
    submit();
    const running = caught(card.tokenize());
    expect([card.getAttribute("aria-busy"), inputOf(card, "code").readOnly]).toEqual(["true", true]);

    card.reset();

    expect(await running).toMatchObject({ code: "aborted" });
    expect([seen, card.getAttribute("aria-busy"), statusOf(card)]).toEqual([[], "false", ""]);
  });

  test("a disabled fieldset disables it", () => {
    const { card } = aForm();
    const fieldset = document.createElement("fieldset");
    fieldset.disabled = true;
    document.body.append(fieldset);

    fieldset.append(card);

    expect([inputOf(card, "code").disabled, card.willValidate]).toEqual([true, false]);
  });

  test("a move within the page keeps the fields; a clone has none of their texts", () => {
    const { form, card } = aForm();

    const clone = form.cloneNode(true) as HTMLFormElement;
    document.body.append(card, clone);

    expect([textsOf(card), textsOf(clone)]).toEqual([Object.values(GOOD), NO_TEXTS]);
    expect(inputOf(clone, "code").id).not.toBe(inputOf(card, "code").id);
  });

  test.each(["baseUrl", "publicKey", "name"] as const)(
    "%s is empty after it was set to undefined, as React does with a property that is gone",
    (property) => {
      const { card } = aForm();

      card[property] = undefined;

      expect(card[property]).toBe("");
    },
  );

  test("properties that were set before the element was defined work", () => {
    const template = document.createElement("template");
    template.innerHTML = "<payment-card-form></payment-card-form>";
    const card = template.content.firstElementChild as PaymentCardForm;
    const tokenizerOptions = { maxRetries: 0 };
    Object.assign(card, { baseUrl: "https://a.example", name: "token", disabled: true, tokenizerOptions });

    document.body.append(card);

    expect(card.outerHTML).toMatch(
      /^<payment-card-form base-url="https:..a.example" name="token" disabled="">/,
    );
    expect(card.tokenizerOptions).toBe(tokenizerOptions);
  });

  test("it follows `lang`, its messages included", async () => {
    const { card } = aForm({ number: "" });
    await caught(card.tokenize());

    card.lang = "en";

    expect(card.querySelector("label")?.textContent).toBe("Card number");
    expect(errorsOf(card)).toEqual(["Enter the card number.", "", "", ""]);
    expect(card.validationMessage).toBe("Enter the card number.");
  });

  test("the brand describes the number, and the hint the code", () => {
    const { card } = aForm({ number: "3782" });
    const describedBy = (name: string) => inputOf(card, name).getAttribute("aria-describedby") ?? "";
    const textOf = (ids: string) =>
      ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "");

    expect(card.brand).toBe("amex");
    expect(textOf(describedBy("number")).join("")).toBe("Amex");
    expect(textOf(describedBy("code")).join("")).toBe("4 dígitos na frente do cartão");
  });
});

test("no card value is in an attribute, the form's data, an event or storage", async () => {
  const { form, card } = aForm({ number: "4024007153763191", code: "987" });
  const details: unknown[] = [];
  for (const type of ["payment-token", "payment-error"]) {
    card.addEventListener(type, (event) => details.push((event as CustomEvent).detail));
  }

  const error = await caught(card.tokenize()); // its check digit is wrong
  const token = await card.tokenize();

  expect(details).toEqual([{ error }, { token }]);
  const storage = { ...localStorage, ...sessionStorage };
  const places = [document.documentElement.outerHTML, [...new FormData(form)], details, storage];
  expect(JSON.stringify(places)).not.toMatch(/4024.?0071|MARIA EXEMPLO|12\/39|987\b/);
});
