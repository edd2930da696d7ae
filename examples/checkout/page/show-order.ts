import type { OrderState, OrderView } from "../shared/order-view.ts";
import { clearCard } from "./card-fields.ts";
import { element, show } from "./dom.ts";
import { showPix } from "./pix-panel.ts";
import { choose } from "./tabs.ts";
import { TEXTS, textOfRefusal } from "./texts.ts";

type Kind = OrderState["kind"];

/** What stands in the place of the payment once there is nothing to pay. */
const RESULTS: Partial<Record<Kind, { readonly title: string; readonly text: string }>> = {
  processing: {
    title: "Pagamento em análise",
    text: "O banco está analisando a compra. Esta página se atualiza sozinha: não é preciso pagar de novo.",
  },
  checking: {
    title: "Verificando o pagamento",
    text: "Ainda não recebemos a confirmação. Não pague de novo: esta página se atualiza sozinha.",
  },
  paid: {
    title: "Pagamento confirmado",
    text: "Obrigado! O seu pedido já está sendo preparado.",
  },
  refunded: {
    title: "Pagamento devolvido",
    text: "O valor volta para o mesmo cartão ou conta de onde saiu.",
  },
  chargedback: { title: "Pagamento contestado", text: "O valor foi devolvido pelo banco emissor do cartão." },
};

let shown: OrderView | undefined;

/** Makes the page what the order is. */
export function showOrder(order: OrderView): void {
  const { state } = order;
  const isNew = shown?.revision !== order.revision;
  const changed = shown !== undefined && shown.state.kind !== state.kind;
  shown = order;
  const result = RESULTS[state.kind];
  show("loading", false);
  show("result", result !== undefined);
  show("payment", result === undefined);
  setBusy(state.kind === "paying");
  if (result) showResult(state.kind, result);
  // What was said of this state already stays, also where it was said by the page.
  if (isNew) notify(noticeOf(state));
  showPix(state.kind === "pix" ? state : undefined);
  lockCard(state.kind === "pix");
  if (state.kind === "pix") choose("pix");
  if (changed) moveTo(result ? "result-title" : state.kind === "pix" ? "pix-title" : undefined);
}

/** A text above the payment; none takes it away. */
export function notify(text: string | undefined): void {
  const notice = element("notice", HTMLElement);
  notice.textContent = text ?? "";
  notice.hidden = text === undefined;
  // It stands at the top, and the button that led to it at the bottom of a small screen.
  const atInput = document.activeElement?.getAttribute("aria-invalid") === "true";
  if (text !== undefined && !atInput) notice.scrollIntoView({ block: "nearest" });
}

/** While a payment is on its way, nothing else can be sent. */
export function setBusy(busy: boolean): void {
  document.body.setAttribute("aria-busy", String(busy));
  element("pay-card", HTMLButtonElement).disabled = busy;
  element("pay-pix", HTMLButtonElement).disabled = busy;
  show("busy", busy);
}

function showResult(kind: Kind, { title, text }: { readonly title: string; readonly text: string }): void {
  element("result", HTMLElement).dataset["kind"] = kind;
  element("result-title", HTMLElement).textContent = title;
  document.title = `${title} · Loja Ipê`; // the buyer may be looking at another tab
  element("result-text", HTMLElement).textContent = text;
  clearCard();
}

function noticeOf(state: OrderState): string | undefined {
  if (state.kind !== "open") return undefined;
  if (state.refusedReason !== undefined) return textOfRefusal(state.refusedReason);
  return state.ended && TEXTS[state.ended];
}

/** While a pix is open, a card could pay the order a second time. */
function lockCard(locked: boolean): void {
  element("tab-card", HTMLButtonElement).disabled = locked;
  show("buyer", !locked);
}

function moveTo(id: string | undefined): void {
  if (id !== undefined) element(id, HTMLElement).focus();
}
