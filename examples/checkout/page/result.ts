import { formatBRL } from "payments-sdk";
import { describeInstallments } from "../shared/installments.ts";
import type { OrderView } from "../shared/order-view.ts";
import { element, setTitle, show, write } from "./dom.ts";
import { type ResultState, resultOf } from "./texts.ts";

/** States in which the payment is not final: its time has the label "Desde". */
const SINCE: readonly ResultState["kind"][] = ["processing", "confirming", "checking"];

/** Shows the result of the payment, also when the page is opened again: number, amount, method, time and next steps. */
export function showResult(state: ResultState, order: OrderView): void {
  const [title, text, ...next] = resultOf(state, order);
  const { method, installments, at } = state.payment;
  const card = installments
    ? `Cartão de crédito, ${describeInstallments(installments)}`
    : "Cartão de crédito";
  setTitle(title);
  write("result-text", text);
  element("facts", HTMLElement).replaceChildren(
    ...fact("Pedido", order.number),
    ...fact("Valor", formatBRL(installments?.total ?? order.amount)),
    ...fact("Forma de pagamento", method === "pix" ? "Pix" : card),
    ...fact(
      SINCE.includes(state.kind) ? "Desde" : "Data",
      new Date(at).toLocaleString("pt-BR", { dateStyle: "long", timeStyle: "short" }),
    ),
  );
  element("next", HTMLElement).replaceChildren(...next.map((step) => create("li", step)));
  show("instead", state.kind === "checking" || state.kind === "confirming");
  showLink(state.kind === "confirming" ? state.url : undefined);
}

/** A link, never a redirect: the buyer sees its host. The server has checked the URL. */
function showLink(url: string | undefined): void {
  const link = element("continue", HTMLAnchorElement);
  link.hidden = url === undefined;
  if (url === undefined) return;
  link.href = url;
  link.textContent = `Continuar em ${new URL(url).host}`;
}

const fact = (name: string, value: string) => [create("dt", name), create("dd", value)];

function create(tag: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text });
}
