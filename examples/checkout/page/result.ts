import { formatBRL } from "payments-sdk";
import { describeInstallments } from "../shared/installments.ts";
import type { OrderView, Payment } from "../shared/order-view.ts";
import { element, show, write } from "./dom.ts";
import { type ResultState, resultOf } from "./texts.ts";

/** What became of the payment, also when the page is opened again: number, amount, method, time, and what is next. */
export function showResult(state: ResultState, order: OrderView): void {
  const { title, text, next, at } = resultOf(state, order);
  const { payment } = state;
  write("title", title);
  document.title = `${title} · Loja Ipê`;
  write("result-text", text);
  element("facts", HTMLElement).replaceChildren(
    fact("Pedido", order.number),
    fact("Valor", formatBRL(order.amount)),
    fact("Forma de pagamento", methodOf(payment, order.amount)),
    fact(at, new Date(payment.at).toLocaleString("pt-BR", { dateStyle: "long", timeStyle: "short" })),
  );
  element("next", HTMLElement).replaceChildren(...next.map((step) => create("li", step)));
  show("instead", state.kind === "checking" || state.kind === "confirming");
  showLink(state.kind === "confirming" ? state.url : undefined);
  show("result", true);
}

export function hideResult(): void {
  show("result", false);
}

/** A link for the buyer to follow, never a redirect: the page says where it leads. The server has checked the URL. */
function showLink(url: string | undefined): void {
  const link = element("continue", HTMLAnchorElement);
  link.hidden = url === undefined;
  if (url === undefined) return;
  link.href = url;
  link.textContent = `Continuar em ${new URL(url).host}`;
}

function methodOf({ method, installments = 1 }: Payment, amount: number): string {
  if (method === "pix") return "Pix";
  return `Cartão de crédito, ${describeInstallments(amount, installments)}`;
}

function fact(name: string, value: string): HTMLElement {
  const row = create("div");
  row.append(create("dt", name), create("dd", value));
  return row;
}

function create(tag: string, text = ""): HTMLElement {
  const created = document.createElement(tag);
  created.textContent = text;
  return created;
}
