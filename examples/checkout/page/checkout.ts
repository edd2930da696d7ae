import { PaymentCardForm, PaymentPix } from "payments-sdk/elements";
import type { Buyer, OrderState, OrderView } from "../shared/order-view.ts";
import { readBuyer, rejectBuyer, watchBuyer } from "./buyer-fields.ts";
import { element, input, notify, setTitle, show, write } from "./dom.ts";
import { showResult } from "./result.ts";
import { type Answer, fetchOrder, postCard, postPix, watchOrder } from "./shop-api.ts";
import { BUSY, NOT_REACHED, noticeOf, offerOfPix, REFUSALS, UNKNOWN } from "./texts.ts";

const form = element("form", HTMLFormElement);
const cardForm = element("card-form", PaymentCardForm);
const pixCode = element("pix-code", PaymentPix);
const title = element("title", HTMLElement);
const payButtons = document.querySelectorAll<HTMLButtonElement>("#pay, #new-pix, .pay-by-pix");
const installments = element("installments", HTMLSelectElement);

/** How long a proxy may hold a request before the shop gets it. */
const LATE_REQUEST_MS = 60_000;

/** The newest view of the order. */
let latest: OrderView | undefined;
let isPaying = false;
/** Whether a buyer who has a pix code is going to pay by card instead. */
let wantsCard = false;
/** Whether the shown pix code has expired, although the shop has not reported it yet. */
let hasCountdownEnded = false;
/** Until when a request that seems lost may still reach the shop, in milliseconds since 1970. */
let lateRequestUntil = 0;

function hear(order: OrderView): void {
  if (latest !== undefined && order.revision <= latest.revision) return;
  const kindBefore = latest?.state.kind;
  latest = order;
  if (order.state.kind !== "pix" || order.isCardUndecided) wantsCard = false;
  render(order);
  showNotice(order.state);
  showBusy();
  const isNew = kindBefore !== undefined && kindBefore !== order.state.kind;
  if (isNew && form.hidden) title.focus();
}

function render(order: OrderView): void {
  const { state } = order;
  // Keep the current view while a request is in flight.
  if (state.kind === "paying" && (!form.hidden || title.dataset["kind"] !== undefined)) return;
  const isForm = state.kind === "open" || state.kind === "paying" || wantsCard;
  title.dataset["kind"] = isForm ? "form" : state.kind;
  show("form", isForm);
  show("pix", state.kind === "pix" && !isForm);
  show("result", "payment" in state);
  if (state.kind === "pix") showPix(state, order);
  if ("payment" in state) {
    showResult(state, order);
    pixCode.statusUrl = null; // ends its requests
    cardForm.reset(); // leaves no card data in the page
    if (state.kind === "paid") form.reset();
    return;
  }
  setTitle(isForm ? "Pagamento" : "Pague com Pix");
}

function showPix(state: Extract<OrderState, { kind: "pix" }>, order: OrderView): void {
  const { code, picture, expiresAt, statusUrl } = state;
  if (code !== pixCode.code) hasCountdownEnded = false;
  show("card-warning", order.isCardUndecided);
  Object.assign(pixCode, { code, qrcode: picture ?? "", expiresAt: expiresAt ?? "", statusUrl });
  showPixChoices();
}

/** Asks the buyer to pay the code while it can be paid, and offers another one if it has ended without a payment. */
function showPixChoices(): void {
  const { status } = pixCode;
  const isOpen = status === "pending" || status === "processing";
  const hasFailed = ["refused", "expired", "cancelled"].includes(status) || (isOpen && hasCountdownEnded);
  const isPayable = isOpen && !hasCountdownEnded;
  show("pix-request", isPayable);
  show("new-pix", hasFailed);
  show("card-instead", (isPayable || hasFailed) && latest?.isCardUndecided === false);
  show("not-both", isPayable);
}

/**
 * Whether the order can change while the buyer does nothing. The pix code itself asks whether it is paid. A late payment
 * of an expired code is reported to the shop by a postback.
 */
function canOrderChange(): boolean {
  if (latest === undefined || latest.isCardUndecided) return true;
  if (isPaying || Date.now() < lateRequestUntil) return true;
  const { kind } = latest.state;
  return kind !== "open" && (kind !== "pix" || pixCode.status !== "pending");
}

function showNotice(state: OrderState): void {
  const notice = noticeOf(state);
  clearNotices();
  if (notice === undefined) return;
  say(notice.text, notice.isCard);
  if (!notice.isCard) return;
  cardForm.clearSecurityCode();
  if (isPaying) cardForm.querySelector<HTMLInputElement>(".payment-code input")?.focus();
}

function clearNotices(): void {
  for (const id of ["notice", "card-notice", "pix-notice"]) show(id, false);
}

/** Shows a text near what the buyer is doing: above the button, next to the card, or below a pix or a result. */
function say(text: string, isCard = false): void {
  if (form.hidden) notify("pix-notice", text);
  else if (!isCard || input("method-pix").checked) notify("notice", text);
  else {
    element("card-notice", HTMLElement).className = "notice";
    notify("card-notice", text, "card-notice-text");
  }
}

function showBusy(): void {
  const isBusy = isPaying || latest?.state.kind === "paying";
  for (const button of payButtons) {
    button.disabled = latest === undefined;
    button.setAttribute("aria-busy", String(isBusy)); // not disabled, so that it keeps the focus
    const label = button.dataset["label"] ?? button.textContent?.trim() ?? "";
    button.dataset["label"] = label;
    button.textContent = isBusy ? "Processando…" : label;
  }
  write("busy", isBusy ? BUSY : "");
}

/** One payment at a time, even if the button is pressed several times. */
async function pay(request: (revision: number) => Promise<Answer>): Promise<void> {
  if (isPaying || latest === undefined || latest.state.kind === "paying") return;
  const { revision } = latest;
  isPaying = true;
  clearNotices();
  showBusy();
  try {
    await explain(await request(revision), revision);
  } catch (error) {
    const offer = offerOfPix(error);
    if (offer !== undefined) say(offer, true);
    element("card-notice", HTMLElement).className = "hint"; // the card form shows what went wrong
  }
  isPaying = false;
  showBusy();
}

async function payByForm(): Promise<void> {
  const isPix = input("method-pix").checked;
  if (isPix && latest?.state.kind === "pix") {
    wantsCard = false; // the buyer already has a code
    return render(latest);
  }
  const buyer = readBuyer();
  const isCardRight = isPix || cardForm.reportValidity(); // shows the problems next to its fields
  if (buyer === undefined || !isCardRight) focusFirstWrong();
  else await pay((revision) => (isPix ? postPix({ buyer, revision }) : payByCard(buyer, revision)));
}

/** Creates the token in the page. The shop's server gets only the token. */
async function payByCard(buyer: Buyer, revision: number): Promise<Answer> {
  const token = await cardForm.tokenize();
  return postCard({ buyer, revision, installments: Number(installments.value), token: token.value });
}

/** The next step after a refused card, and the way out while a card is being checked. */
function payByPix(): void {
  if (form.hidden) {
    void pay((revision) => postPix({ revision })); // the server already has the buyer's data
    return;
  }
  input("method-pix").checked = true;
  showChoice();
  void payByForm();
}

function focusFirstWrong(): void {
  form.querySelector<HTMLElement>('fieldset:enabled [aria-invalid="true"]')?.focus();
}

async function explain(answer: Answer, revision: number): Promise<void> {
  if (answer === "unknown") {
    say(UNKNOWN);
    const order = await fetchOrder();
    hear(order);
    clearNotices();
    if (order.revision !== revision) return showNotice(latest?.state ?? order.state);
    // The request has not reached the shop. If it arrives later, the shop rejects the next click, which has the same revision.
    lateRequestUntil = Date.now() + LATE_REQUEST_MS;
    say(form.hidden ? REFUSALS.no_pix : NOT_REACHED);
    return;
  }
  if (!("refusal" in answer)) return hear(answer);
  hear(answer.order);
  const { code, fields = [] } = answer.refusal;
  if (!form.hidden) {
    say(REFUSALS[code], code === "too_many_attempts");
    rejectBuyer(fields);
    if (fields.length > 0) focusFirstWrong();
  } else if (code !== "busy") {
    say(REFUSALS.no_pix);
  }
}

/** Shows the method and the number of installments that the buyer chose. */
function showChoice(): void {
  const isPix = input("method-pix").checked;
  element("card", HTMLFieldSetElement).disabled = isPix; // also hides it; its input is kept
  show("pix-hint", isPix);
  const total = installments.selectedOptions[0]?.dataset["total"];
  element("pay", HTMLElement).dataset["label"] = isPix ? "Gerar código Pix" : `Pagar ${total}`;
  showBusy();
}

function payByCardInstead(): void {
  if (latest === undefined) return;
  wantsCard = true;
  input("method-card").checked = true;
  showChoice();
  render(latest);
  title.focus();
}

/** The summary is collapsed on a phone, and open next to the form on a wide screen. */
function foldSummary(): void {
  const wide = matchMedia("(min-width: 60rem)");
  const fold = () => {
    element("summary", HTMLDetailsElement).open = wide.matches;
  };
  wide.addEventListener("change", fold);
  fold();
}

form.addEventListener("change", showChoice);
form.addEventListener("reset", () => setTimeout(showChoice));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void payByForm();
});
for (const button of document.querySelectorAll(".pay-by-pix")) button.addEventListener("click", payByPix);
element("new-pix", HTMLElement).addEventListener("click", payByPix);
element("use-card", HTMLElement).addEventListener("click", payByCardInstead);
pixCode.addEventListener("payment-pix-expired", () => {
  hasCountdownEnded = true;
  showPixChoices();
});
pixCode.addEventListener("payment-status", showPixChoices);
foldSummary();
watchBuyer();
showChoice(); // the browser may have restored the choice
void watchOrder(hear, canOrderChange);
