import { CardTokenizer, formatCardNumber, isPaymentsError, parseExpiry } from "payments-sdk/browser";
import type { OrderState, OrderView } from "../shared/order-view.ts";
import { element, input, markWrong, show } from "./dom.ts";
import { type Answer, fetchOrder, postCard, postPix, watchOrder } from "./shop-api.ts";
import { NOT_REACHED, noticeOf, REFUSALS, RESULTS, textOfTokenization, UNKNOWN } from "./texts.ts";

const { baseUrl = "", publicKey = "" } = document.body.dataset;
const tokenizer = new CardTokenizer({ baseUrl, publicKey });
const form = element("form", HTMLFormElement);
const payButton = element("pay", HTMLButtonElement);

/** The newest view of the order. */
let latest: OrderView | undefined;
let isPaying = false;

function hear(order: OrderView): void {
  if (latest !== undefined && order.revision <= latest.revision) return;
  const kindBefore = latest?.state.kind;
  latest = order;
  const { state } = order;
  const result = RESULTS[state.kind];
  show("form", state.kind === "open" || state.kind === "paying");
  show("pix", state.kind === "pix");
  show("result", result !== undefined);
  notify(noticeOf(state));
  showBusy();
  if (state.kind === "pix") showPix(state);
  if (result !== undefined) showResult(result);
  if (kindBefore === undefined || kindBefore === state.kind) return;
  if (state.kind === "pix") element("pix-title", HTMLElement).focus();
  if (result !== undefined) element("result-title", HTMLElement).focus();
}

function showPix({ code, picture, expiresAt }: Extract<OrderState, { kind: "pix" }>): void {
  show("pix-picture", picture !== undefined);
  element("pix-picture", HTMLImageElement).src = picture ?? "";
  input("pix-code").value = code;
  const end = expiresAt && new Date(expiresAt).toLocaleString("pt-BR");
  element("pix-end", HTMLElement).textContent = end ? `O código vale até ${end}.` : "";
}

function showResult([title, text]: readonly [string, string]): void {
  document.title = `${title} · Loja Ipê`;
  element("result-title", HTMLElement).textContent = title;
  element("result-text", HTMLElement).textContent = text;
  form.reset(); // no card data is left in the page
}

function notify(text: string | undefined): void {
  element("notice", HTMLElement).textContent = text ?? "";
  show("notice", text !== undefined);
}

function showBusy(): void {
  const isBusy = isPaying || latest === undefined || latest.state.kind === "paying";
  payButton.disabled = isBusy;
  show("busy", isBusy);
}

/** One payment at a time, however often the button is pressed. */
async function pay(): Promise<void> {
  if (isPaying || latest?.state.kind !== "open") return;
  isPaying = true;
  showBusy();
  notify(undefined);
  const { revision } = latest;
  const isPix = input("method-pix").checked;
  try {
    await explain(
      isPix ? await postPix({ buyer: readBuyer(), revision }) : await payByCard(revision),
      revision,
    );
  } catch (error) {
    notify(textOfTokenization(error));
    if (isPaymentsError(error) && "issues" in error && Array.isArray(error.issues)) {
      markWrong(new Set(error.issues.map(({ field }) => INPUTS[String(field)] ?? "number")), form);
    }
  }
  isPaying = false;
  showBusy();
  if (!form.hidden && document.activeElement === document.body) payButton.focus(); // it lost the focus when disabled
}

/** Turns the card into a token here in the page. The shop's server gets nothing but the token. */
async function payByCard(revision: number): Promise<Answer> {
  const { expirationMonth = "", expirationYear = "" } = parseExpiry(input("expiry").value) ?? {};
  const token = await tokenizer.tokenize({
    number: input("number").value,
    holderName: input("holderName").value,
    cvv: input("cvv").value,
    expirationMonth,
    expirationYear,
  });
  const installments = Number(element("installments", HTMLSelectElement).value);
  return postCard({ buyer: readBuyer(), revision, installments, token: token.value });
}

/** The date is two fields for the SDK, and one input for the buyer. */
const INPUTS: Readonly<Record<string, string>> = {
  holderName: "holderName",
  expirationMonth: "expiry",
  expirationYear: "expiry",
  cvv: "cvv",
};

const readBuyer = () => ({
  name: input("name").value,
  email: input("email").value,
  phone: input("phone").value,
  document: input("document").value,
});

async function explain(answer: Answer, revision: number): Promise<void> {
  if (answer === "unknown") {
    notify(UNKNOWN);
    const order = await fetchOrder();
    hear(order);
    // The request never came to the shop. If it comes late, it is about an older revision than the next payment.
    notify(order.revision === revision ? NOT_REACHED : noticeOf(latest?.state ?? order.state));
  } else if ("refusal" in answer) {
    hear(answer.order);
    if (latest?.state.kind !== "open") return; // paid in the meantime
    notify(REFUSALS[answer.refusal.code]);
    markWrong(new Set(answer.refusal.fields), form);
  } else {
    hear(answer);
  }
}

function chooseMethod(): void {
  const isPix = input("method-pix").checked;
  element("card", HTMLFieldSetElement).disabled = isPix; // also hides it, and leaves it out of the checks
  payButton.textContent = isPix ? "Gerar código Pix" : (payButton.dataset["card"] ?? "");
}

payButton.dataset["card"] = payButton.textContent ?? "";
form.addEventListener("change", chooseMethod);
form.addEventListener("reset", () => setTimeout(chooseMethod));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void pay();
});
input("number").addEventListener("input", ({ currentTarget: number }) => {
  if (!(number instanceof HTMLInputElement) || number.selectionEnd !== number.value.length) return;
  number.value = formatCardNumber(number.value);
});
input("pix-code").addEventListener("focus", () => input("pix-code").select());
void watchOrder(hear);
