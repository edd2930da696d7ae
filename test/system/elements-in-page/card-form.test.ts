import type { CardTokenizerOptions, InvalidRequestError } from "payments-sdk/browser";
import type { PaymentCardForm } from "payments-sdk/elements";
import "payments-sdk/elements";
import { afterEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import brands from "../../../src/elements/brands.css?bundled";
import styles from "../../../src/elements/elements.css?bundled";

const GOOD = { number: "4111 1111 1111 1111", holder: "MARIA EXEMPLO", expiry: "12/39", code: "123" };
const NAMES = Object.keys(GOOD);
const NO_TEXTS = ["", "", "", ""];
const A_TOKEN = expect.any(String);

/** The token of each submit that the page sees. */
const seen: unknown[] = [];
addEventListener("submit", (event) => {
  event.preventDefault();
  seen.push(new FormData(event.target as HTMLFormElement).get("token"));
});

afterEach(() => {
  seen.length = 0;
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

/** A form with a completed card form that uses the sandbox. */
function aForm(texts: Partial<typeof GOOD> = {}, tokenizerOptions: Partial<CardTokenizerOptions> = {}) {
  const { baseUrl, publicKey } = inject("sandbox");
  const form = document.createElement("form");
  const card = document.createElement("payment-card-form") as PaymentCardForm;
  Object.assign(card, { lang: "pt-BR", name: "token", baseUrl, publicKey, tokenizerOptions });
  form.append(card, document.createElement("button"));
  document.body.append(form);
  fillIn(card, { ...GOOD, ...texts });
  return { form, card, submit: () => form.querySelector("button")?.click() };
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

function disableFieldset(card: Element): void {
  const fieldset = Object.assign(document.createElement("fieldset"), { disabled: true });
  card.before(fieldset);
  fieldset.append(card);
  expect(inputOf(card, "code").disabled).toBe(true);
}

const textsOf = (card: Element) => NAMES.map((name) => inputOf(card, name).value);
const errorsOf = (card: Element) =>
  NAMES.map((name) => card.querySelector(`.payment-${name} .payment-error`)?.textContent);
/** What some browsers and password managers do: no event but `change`. */
function fillSilently(card: Element, name: string, text: string): void {
  inputOf(card, name).value = text;
  inputOf(card, name).dispatchEvent(new Event("change", { bubbles: true }));
}
const statusOf = (card: Element) => card.querySelector(".payment-status")?.textContent;
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
    const { form, card, submit } = aForm();

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
    const { card, submit } = aForm({}, { fetch });
    await card.tokenize();

    submit();
    await expect.poll(() => [seen.length, fetch.mock.calls.length]).toEqual([1, requests]);

    submit(); // a token is used once
    await expect.poll(() => [new Set(seen).size, fetch.mock.calls.length]).toEqual([2, requests + 1]);
  });

  test("is sent once if the page submits the form as soon as there is a token", async () => {
    const { form, card, submit } = aForm();
    card.addEventListener("payment-token", () => form.requestSubmit());

    submit();
    const token = await card.tokenize();
    await new Promise(requestAnimationFrame);

    expect(seen).toEqual([token.value]);
  });

  test("is there before any listener of the form sees the submit", async () => {
    const { form, card, submit } = aForm();
    form.addEventListener("submit", () => seen.push(card.value), true);
    form.append(card); // the element comes after the listener

    submit();

    await expect.poll(() => seen).toHaveLength(2);
    expect(seen).toEqual([card.token?.value, card.token?.value]);
  });

  const aButton = (form: HTMLFormElement, props: Partial<HTMLButtonElement> = {}) =>
    form.appendChild(Object.assign(document.createElement("button"), props));

  test.each<[string, (card: PaymentCardForm, form: HTMLFormElement) => void, unknown[]]>([
    ["loses its type", (_, form) => form.lastElementChild?.setAttribute("type", "reset"), [A_TOKEN]],
    ["is gone", (_, form) => form.lastElementChild?.remove(), [A_TOKEN]],
    ["is left for a formnovalidate", (_, form) => aButton(form, { formNoValidate: true }).click(), [null]],
    ["has no card any more", (card) => card.remove(), []],
    ["pays in another way", (card) => card.toggleAttribute("disabled"), []],
    [
      "is in another form",
      (card) => document.body.appendChild(document.createElement("form")).append(card),
      [],
    ],
  ])("is requested for a button that then %s", async (_, change, tokens) => {
    const { form, card, submit } = aForm();
    submit();
    const running = caught(card.tokenize());

    change(card, form);
    await running;

    expect(seen).toEqual(tokens);
  });

  test("is sent with the submitter that was used last", async () => {
    const { form, submit } = aForm();
    const submitters: unknown[] = [];
    form.addEventListener("submit", ({ submitter }) => submitters.push(submitter));
    const last = aButton(form);
    submit();

    last.click();

    await expect.poll(() => submitters.map((one) => one === last)).toEqual([true]);
  });

  test("is kept when an attribute is set to its own value, or a field is left as it is", async () => {
    const { card } = aForm();
    const token = await card.tokenize();

    card.setAttribute("public-key", card.publicKey);
    fillSilently(card, "holder", GOOD.holder);

    expect(card.token).toBe(token);
  });

  test.each<[string, (card: PaymentCardForm) => void]>([
    ["a field changes", (card) => fillIn(card, { holder: "MARIA" })],
    ["a field changes with no other event than `change`", (card) => fillSilently(card, "holder", "JOSE")],
    ["the account changes", (card) => card.setAttribute("public-key", "pk_other")],
    ["the security code is cleared", (card) => card.clearSecurityCode()],
    ["the form is reset", (card) => card.form?.reset()],
  ])("is dropped when %s", async (_, change) => {
    const { form, card } = aForm();
    await card.tokenize();

    change(card);

    expect([card.token, card.value, new FormData(form).get("token")]).toEqual([undefined, "", null]);
  });

  test.each<[string, (card: PaymentCardForm) => void]>([
    ["disabled", (card) => card.toggleAttribute("disabled")],
    ["in a disabled fieldset", disableFieldset],
    ["outside of the form", (card) => document.body.append(card)],
    ["without a name", (card) => card.removeAttribute("name")],
  ])("is not waited for by an element %s", (_, change) => {
    const { card, submit } = aForm();
    change(card);

    submit();

    expect(seen).toEqual([null]);
  });
});

describe("a wrong field is found before the service is asked", () => {
  test.each([
    [{ number: "" }, ["number"], "Preencha o número do cartão."],
    [{ number: "4111" }, ["number"], "Confira o número do cartão."],
    [{ holder: "4111" }, ["holderName"], "Confira o nome impresso no cartão."],
    [{ expiry: "13/39" }, ["expirationMonth", "expirationYear"], "Confira a validade."],
    [{ expiry: "10/26" }, ["expirationYear"], "Cartão vencido."],
    [{ code: "1234" }, ["cvv"], "Confira o CVV."],
    [{ number: "378282246310005" }, ["cvv"], "Confira o CVV."], // Amex has four
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

  test.each([
    ["number with a wrong check digit", { number: "4024007153763191" }, { number: "4024007153763192" }],
    ["past expiry date", { expiry: "10/26" }, { expiry: "09/26" }], // the clock of the device may be wrong
  ])("a %s is sent the second time, unless it changes", async (_, first, second) => {
    const { card } = aForm(first, { fetch: async () => new Response("token") });
    await caught(card.tokenize());
    fillIn(card, second);

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

  test("appear at a submit, which moves the focus to the first", () => {
    const { card, submit } = aForm({ holder: "", code: "" });

    submit();

    expect(errorsOf(card)).toEqual(["", "Preencha o nome impresso no cartão.", "", "Preencha o CVV."]);
    fillIn(card, { number: "4" }); // what else is empty stays an error
    expect(errorsOf(card)).toEqual(["", "Preencha o nome impresso no cartão.", "", "Preencha o CVV."]);
    expect([document.activeElement, seen]).toEqual([inputOf(card, "holder"), []]);
  });

  test("do not appear by checkValidity(), and stop no other way to pay; reportValidity() shows them", () => {
    const { form, card } = aForm({ holder: "" });

    expect([card.checkValidity(), form.checkValidity(), form.reportValidity()]).toEqual([false, true, true]);
    expect([errorsOf(card), document.activeElement]).toEqual([NO_TEXTS, document.body]);
    expect([card.reportValidity(), document.activeElement]).toEqual([false, inputOf(card, "holder")]);
    fillIn(card, GOOD);
    expect([card.checkValidity(), card.reportValidity(), errorsOf(card)]).toEqual([true, true, NO_TEXTS]);
  });

  /** An empty form in its stylesheet, as wide as a phone. */
  async function aStyledForm(lang = "pt-BR"): Promise<PaymentCardForm> {
    await page.viewport(320, 700);
    const { card } = aForm({ number: "", holder: "", expiry: "", code: "" });
    const style = document.createElement("style");
    style.textContent = `${styles} form { width: 288px; font-family: sans-serif }`;
    document.body.append(style);
    card.lang = lang;
    return card;
  }

  test.each(["pt-BR", "en"])("in %s move no button at 320 px", async (lang) => {
    const card = await aStyledForm(lang);
    const bottom = () => inputOf(card, "code").closest(".payment-field")?.getBoundingClientRect().bottom;
    const before = bottom();

    for (const texts of [{}, { number: "4111" }, { expiry: "13/39", code: "1" }, { expiry: "10/26" }]) {
      fillIn(card, texts);
      const withHint = bottom();
      card.reportValidity();
      expect([withHint, bottom()]).toEqual([before, before]);
    }
  });

  test("do not move the button away from under the pointer, also in large text on a phone", async () => {
    const card = await aStyledForm();
    document.documentElement.style.fontSize = "200%";
    fillIn(card, { number: GOOD.number, holder: GOOD.holder, expiry: GOOD.expiry });
    inputOf(card, "code").focus();
    await userEvent.keyboard("1");

    await userEvent.click(page.getByRole("button"));

    document.documentElement.style.fontSize = "";
    await expect.poll(() => card.querySelector("[role=alert]")).not.toBeNull();
  });

  test.each([
    ["in large text, the hint of the code", "200%", "280px", ".payment-code .payment-hint"],
    ["in large text, a whole card number beside its mark", "130%", "328px", ".payment-number input"],
    ["in a narrow column, a whole card number beside its mark", "100%", "240px", ".payment-number input"],
  ])("%s is not cut off", async (_, fontSize, width, selector) => {
    const card = await aStyledForm();
    const style = document.createElement("style");
    style.textContent = `${brands} form { width: ${width} !important }`;
    document.body.append(style);
    document.documentElement.style.fontSize = fontSize;
    fillIn(card, GOOD);
    const part = card.querySelector(selector) as HTMLElement;

    const [{ right }, end] = [part.getBoundingClientRect(), card.getBoundingClientRect().right];
    const isWhole = part.scrollWidth <= part.clientWidth && right <= end + 0.5;

    document.documentElement.style.fontSize = "";
    expect(isWhole).toBe(true);
  });

  test("are closer to their field than to the next label", async () => {
    const card = await aStyledForm();
    card.reportValidity();
    const boxOf = (selector: string) => {
      const range = document.createRange(); // the text, without the free space of its line
      range.selectNodeContents(card.querySelector(selector) as Element);
      return range.getBoundingClientRect();
    };

    for (const [name, next] of [["number", "holder"] as const, ["holder", "expiry"] as const]) {
      const error = boxOf(`.payment-${name} .payment-error`);
      const above = error.top - inputOf(card, name).getBoundingClientRect().bottom;
      const below = boxOf(`.payment-${next} label`).top - error.bottom;
      expect(above).toBeGreaterThan(0);
      expect(below).toBeGreaterThan(2 * above);
    }
  });

  test("leave the hint of the code where it is", async () => {
    const card = await aStyledForm("en");
    fillIn(card, { number: "3782", code: "123" });

    card.reportValidity();

    const field = page.getByRole("textbox", { name: "CVV", exact: true });
    await expect.element(field).toHaveAccessibleDescription("4 on the front Check the CVV.");
    await expect.element(page.getByText("4 on the front")).toBeVisible();
  });

  test("and the summary below them is a new alert each time, until a field changes", () => {
    const { card } = aForm({ holder: "" });
    const alert = () => card.querySelector("[role=alert]")?.firstChild;
    card.reportValidity();
    const first = alert();
    card.reportValidity();

    expect(first?.textContent).toBe("Confira os campos marcados. Nada foi cobrado.");
    expect(alert()?.textContent).toBe(first?.textContent);
    expect(alert()).not.toBe(first); // a screen reader announces what is new
    fillIn(card, { holder: "MARIA" });
    expect(alert()).toBeUndefined();
  });

  test("on a page from right to left the digits still run from left to right, beside the brand", async () => {
    const card = await aStyledForm();
    card.dir = "rtl";
    fillIn(card, GOOD);

    const styleOf = (name: string) => getComputedStyle(inputOf(card, name));
    expect(NAMES.map((name) => [styleOf(name).direction, styleOf(name).textAlign])).toEqual([
      ["ltr", "right"],
      ["rtl", "right"],
      ["ltr", "right"],
      ["ltr", "right"],
    ]);
    const input = inputOf(card, "number").getBoundingClientRect();
    const brand = card.querySelector(".payment-brand")?.getBoundingClientRect();
    expect(brand?.right).toBeLessThan(input.left + Number.parseFloat(styleOf("number").paddingLeft));
  });
});

describe("an error of the service", () => {
  const respond = (status: number, body: unknown) => async () => Response.json(body, { status });

  test.each([false, true])(
    "is shown beside the fields that it names, while the buyer types elsewhere: %s",
    async (isElsewhere) => {
      const errors = [{ field: "card.expiration_month", message: "invalid" }];
      const { form, card } = aForm({}, { fetch: respond(400, { success: false, errors }) });
      const other = form.appendChild(document.createElement("input"));
      const running = caught(card.tokenize());

      if (isElsewhere) other.focus();
      await running;

      expect(errorsOf(card)).toEqual(["", "", "Confira a validade.", ""]);
      expect(document.activeElement).toBe(isElsewhere ? other : inputOf(card, "expiry"));
    },
  );

  test("of the settings is reported to the developer at a submit", async () => {
    const report = vi.spyOn(globalThis, "reportError").mockReturnValue();
    const { card, submit } = aForm();
    card.baseUrl = undefined;

    submit();

    await expect.poll(() => report.mock.calls).toMatchObject([[{ code: "configuration" }]]);
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
    ["a removal from the page", (form) => form.querySelector("payment-card-form")?.remove()],
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
    const { card, submit } = aForm();
    submit();
    const running = caught(card.tokenize());
    expect([card.hasAttribute("busy"), inputOf(card, "code").readOnly]).toEqual([true, true]);

    card.reset();

    expect(await running).toMatchObject({ code: "aborted" });
    expect([seen, card.hasAttribute("busy"), statusOf(card)]).toEqual([[], false, ""]);
  });

  test("the caller's signal ends the request", async () => {
    const { card } = aForm();
    const controller = new AbortController();
    const running = caught(card.tokenize({ signal: controller.signal }));

    controller.abort();

    expect(await running).toMatchObject({ code: "aborted" });
  });

  test("a move within the page keeps the fields; a clone has none of their texts", () => {
    const { form, card } = aForm();

    const clone = form.cloneNode(true) as HTMLFormElement;
    document.body.append(card, clone);

    expect([textsOf(card), textsOf(clone)]).toEqual([Object.values(GOOD), NO_TEXTS]);
    const idsOf = (element: Element) => Array.from(element.querySelectorAll("[id]"), ({ id }) => id);
    expect(idsOf(clone).filter((id) => idsOf(card).includes(id))).toEqual([]);
  });

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
    Object.assign(card, { baseUrl: undefined, name: undefined }); // as React does with a property that is gone
    expect([card.baseUrl, card.name]).toEqual(["", ""]);
  });

  test("it follows `lang`, its messages included; in a shadow root that of the host", async () => {
    const { card } = aForm({ number: "" });
    await caught(card.tokenize());
    const host = document.body.appendChild(Object.assign(document.createElement("div"), { lang: "en" }));

    card.lang = "en";
    host.attachShadow({ mode: "open" }).append(document.createElement("payment-card-form"));

    expect(errorsOf(card)).toEqual(["Enter the card number.", "", "", ""]);
    const labels = [card, host.shadowRoot].map((root) => root?.querySelector("label")?.textContent);
    expect(labels).toEqual(["Card number", "Card number"]);
  });

  test("it follows the language of the page when an app changes it", async () => {
    const { card } = aForm();
    card.removeAttribute("lang");
    document.documentElement.lang = "en";

    await expect.poll(() => card.querySelector("label")?.textContent).toBe("Card number");

    document.documentElement.lang = "";
    await expect.poll(() => card.querySelector("label")?.textContent).toBe("Número do cartão");
  });

  test("is not disabled by `undefined`, which a framework sets for a missing property", () => {
    const { card } = aForm();

    card.disabled = undefined as never;

    expect([card.disabled, inputOf(card, "code").disabled]).toEqual([false, false]);
  });

  test("its fields come back if a framework empties it", async () => {
    const { card, submit } = aForm();
    card.textContent = "";

    submit();

    await expect.poll(() => seen).toEqual([expect.any(String)]);
    expect(textsOf(card)).toEqual(Object.values(GOOD));
  });

  test("`form` can be set to the id of a form, as the attribute", () => {
    const { form, card } = aForm();
    form.id = "checkout";
    document.body.append(card);

    card.form = "checkout";

    expect(card.form).toBe(form);
  });

  test("the page sees `input` and `change` of the element, and none of its inputs", async () => {
    const { form, card } = aForm();
    await card.tokenize();
    const seen: unknown[] = [];
    for (const type of ["input", "change"]) {
      form.addEventListener(type, ({ target }) =>
        seen.push(type, target, Reflect.get(target ?? {}, "value")),
      );
    }
    inputOf(card, "code").focus();

    await userEvent.keyboard("{Backspace}{Tab}");

    expect(seen).toEqual(["input", card, "", "change", card, ""]);
  });

  test("a label names its input and focuses it, and the brand describes the number", async () => {
    const { card } = aForm({ number: "3782" });
    const number = page.getByRole("textbox", { name: "Número do cartão", exact: true });

    await userEvent.click(page.getByText("Número do cartão"));

    expect(card.brand).toBe("amex");
    await expect.element(number).toHaveFocus();
    await expect.element(number).toHaveAccessibleDescription("Amex");
  });
});

test("the stylesheet of the brands draws a mark for each of them, in place of the name", async () => {
  document.body.append(Object.assign(document.createElement("style"), { textContent: brands }));
  const { card } = aForm();
  const numbers = ["4111", "5111", "401178", "606282", "3411", "3611", "5078", "6304"];
  const marks = numbers.map((number) => {
    fillIn(card, { number });
    const { backgroundImage, fontSize } = getComputedStyle(card.querySelector(".payment-brand") as Element);
    expect([card.brand, fontSize]).toEqual([expect.any(String), "0px"]);
    return Object.assign(new Image(), { src: /^url\("(.+)"\)$/.exec(backgroundImage)?.[1] });
  });

  await Promise.all(marks.map((mark) => mark.decode()));
  expect(new Set(marks.map(({ src }) => src)).size).toBe(numbers.length);
});

describe("a script of the page that prevents the submit before the element sees it", () => {
  type Change = (form: ReturnType<typeof aForm>) => unknown;

  /** Submits twice, and returns what the developer sees. */
  async function warnings(use: Change): Promise<unknown[]> {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    addEventListener("submit", (event) => event.preventDefault(), options); // as a script in the head of a page
    onTestFinished(() => controller.abort());
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const form = aForm();
    for (const _ of [1, 2]) await use(form);
    return warn.mock.calls.flat();
  }

  test("is reported to the developer, once", async () => {
    const found = await warnings(({ submit }) => submit());

    expect(found).toEqual([expect.stringMatching(/<payment-card-form> gets no token: .* stops the submit/)]);
  });

  test.each<[string, Change]>([
    ["is in a disabled element", ({ card }) => card.toggleAttribute("disabled", true)],
    ["has no name", ({ card }) => card.removeAttribute("name")],
    [
      "is not for the button",
      ({ form }) => form.querySelector("button")?.toggleAttribute("formnovalidate", true),
    ],
    ["is requested by that script", ({ card }) => void caught(card.tokenize())],
    ["is there already", ({ card }) => card.tokenize()],
  ])("is not reported if the token %s", async (_, change) => {
    expect(await warnings(async (form) => [await change(form), form.submit()])).toEqual([]);
  });
});

test("no card value is in an attribute, the form's data, an event or storage, and no token in the history", async () => {
  const setFormValue = vi.spyOn(ElementInternals.prototype, "setFormValue");
  const { form, card } = aForm({ number: "4024007153763191", code: "987" });
  const details: unknown[] = [];
  for (const type of ["payment-token", "payment-error"]) {
    card.addEventListener(type, (event) => details.push((event as CustomEvent).detail));
  }

  const error = await caught(card.tokenize()); // its check digit is wrong
  const token = await card.tokenize();

  expect(details).toEqual([{ error }, { token }]);
  expect(setFormValue).toHaveBeenLastCalledWith(token.value, ""); // without a state that the browser saves
  const storage = { ...localStorage, ...sessionStorage };
  const places = [document.documentElement.outerHTML, [...new FormData(form)], details, storage];
  expect(JSON.stringify(places)).not.toMatch(/4024.?0071|MARIA EXEMPLO|12\/39|987\b/);
});
