import { CardTokenizer } from "payments-sdk/browser";
import type { OrderView, PaymentRefusal } from "../shared/order-view.ts";
import { BUYER_FIELDS, fillInDemo, problemsOf, readBuyer, refusedFields } from "./buyer.ts";
import { CARD_FIELDS, watchCardFields } from "./card-fields.ts";
import { element } from "./dom.ts";
import { forgetMendedProblems, isEmpty, showProblems } from "./fields.ts";
import { type CardAnswer, payByCard } from "./pay-by-card.ts";
import { watchPixPanel } from "./pix-panel.ts";
import { hearOrderAndRefuseLate, postPix, watchOrder } from "./shop-api.ts";
import { notify, setBusy, showOrder } from "./show-order.ts";
import { watchTabs } from "./tabs.ts";
import { TEXTS } from "./texts.ts";

const { baseUrl = "", publicKey = "" } = document.body.dataset;
const tokenizer = new CardTokenizer({ baseUrl, publicKey });

async function payByPix(revision: number): Promise<CardAnswer> {
  const buyer = readBuyer();
  const problems = problemsOf(buyer);
  showProblems(BUYER_FIELDS, problems);
  return isEmpty(problems) ? postPix({ buyer, revision }) : { kind: "wrong_inputs" };
}

/** The newest that the server said of the order. */
let latest: OrderView | undefined;
let onItsWay = false;

function hear(order: OrderView): void {
  if (latest === undefined || order.revision >= latest.revision) latest = order;
  // An open order may be tried once more by the payment that is on its way, without a word.
  if (!onItsWay || latest.state.kind !== "open") showOrder(latest);
}

/** One payment at a time, whatever is clicked. */
async function pay(method: (revision: number) => Promise<CardAnswer>): Promise<void> {
  if (onItsWay || latest?.state.kind !== "open") return;
  const before = latest;
  const focused = document.activeElement;
  onItsWay = true;
  setBusy(true);
  notify(undefined);
  const answer = await method(before.revision).catch((): CardAnswer => ({ kind: "unknown" }));
  if (answer.kind === "unknown") notify(TEXTS.unknown);
  // What the server knows counts, also where its answer got lost.
  const order =
    answer.kind === "unknown" ? await hearOrderAndRefuseLate() : "order" in answer ? answer.order : undefined;
  onItsWay = false;
  hear(order ?? latest);
  // A button that was disabled meanwhile has lost the focus.
  if (document.activeElement === document.body && focused instanceof HTMLElement) {
    focused.focus({ preventScroll: true });
  }
  explain(answer, before);
}

/** Why an order that can still be paid was not. */
function explain(answer: CardAnswer, before: OrderView): void {
  if (latest?.state.kind !== "open" && latest?.state.kind !== "paying") return;
  if (answer.kind === "text") notify(answer.text);
  // The server was asked, knows of no payment, and will not take this one any more.
  if (answer.kind === "unknown" && latest.revision === before.revision + 1) notify(TEXTS.notReached);
  if (answer.kind !== "refusal") return;
  notify(TEXT_OF_REFUSAL[answer.refusal.code]);
  if (answer.refusal.fields) showProblems(BUYER_FIELDS, refusedFields(answer.refusal.fields));
}

const TEXT_OF_REFUSAL: Readonly<Record<PaymentRefusal["code"], string>> = {
  invalid_buyer: TEXTS.buyer,
  busy: TEXTS.busy,
  too_many_attempts: TEXTS.tooManyAttempts,
  card_token_expired: TEXTS.unavailable,
  unavailable: TEXTS.unavailable,
};

watchTabs();
watchCardFields();
watchPixPanel();
forgetMendedProblems([...BUYER_FIELDS, ...CARD_FIELDS]);
fillInDemo();
element("card-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  void pay((revision) => payByCard(tokenizer, revision));
});
element("pay-pix", HTMLButtonElement).addEventListener("click", () => void pay(payByPix));
watchOrder(hear);
