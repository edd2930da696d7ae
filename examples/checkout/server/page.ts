import { html, raw } from "hono/html";
import { formatBRL } from "payments-sdk";
import { describeInstallments, INTEREST, planOf } from "../shared/installments.ts";
import type { Order } from "./orders.ts";

/** What the page needs to reach the service. Both values are public. */
export interface PageSettings {
  readonly baseUrl: string;
  readonly publicKey: string;
}

/** The name that the buyer's bank shows: that of the company whose keys the shop has. */
const PAYEE = "Loja Exemplo Ltda";

/** Contact for buyers. */
const CONTACT = "ajuda@loja-ipe.example";

/**
 * The page of one order.
 *
 * The script creates the card inputs, and the form has no `action`: if the script did not load, card data cannot be
 * sent.
 */
export function shopPage(order: Order, { baseUrl, publicKey }: PageSettings, isDemo: boolean) {
  const { item } = order;
  const total = formatBRL(order.amount);
  const demo = (value: string) => (isDemo ? `value="${value}"` : "");
  const plan = planOf(order.amount);
  const options = plan.map(
    (option) =>
      html`<option value="${option.installments}" data-total="${formatBRL(option.total)}">${describeInstallments(option)}</option>`,
  );
  return html`${headOf("Finalizar compra", html`<script type="module" src="/assets/checkout.js"></script>`)}
<body data-order="${order.id}">
  ${HEADER}
  <main>
    <details id="summary">
      <summary><span>Resumo do pedido</span><strong>${total}</strong></summary>
      <div class="item">
        <img src="/assets/shirt.svg" alt="" width="64" height="64">
        <p><strong>${item.title}</strong><br><span class="quiet">Algodão, tamanho M · ${item.quantity} un.</span></p>
        <span>${formatBRL(item.unitPrice)}</span>
      </div>
      <dl>
        <dt>Frete</dt><dd>Grátis</dd>
        <dt>Total</dt><dd><strong>${total}</strong></dd>
        <dt>Pedido</dt><dd>${order.number}</dd>
      </dl>
    </details>

    <section id="payment" aria-labelledby="title">
      <h1 id="title" tabindex="-1">Pagamento</h1>

      <form method="post" id="form" novalidate hidden>
        <fieldset>
          <legend>Seus dados</legend>
          ${field("name", "Nome completo", `autocomplete="name" maxlength="200" ${demo("Maria Exemplo")}`)}
          ${field("email", "E-mail", `type="email" autocomplete="email" maxlength="200" ${demo("maria@example.com")}`)}
          <div class="pair">
            ${field("phone", "Celular com DDD", `type="tel" autocomplete="tel-national" maxlength="20" ${demo("(11) 99999-8888")}`)}
            ${field("document", "CPF", `inputmode="numeric" autocomplete="off" maxlength="14" ${demo("529.982.247-25")}`)}
          </div>
        </fieldset>
        <fieldset class="pair">
          <legend>Forma de pagamento</legend>
          <label class="method"><input type="radio" name="method" id="method-card" checked><span>Cartão de crédito</span><small>à vista ou em até ${plan.at(-1)?.installments}x</small></label>
          <label class="method"><input type="radio" name="method" id="method-pix"><span>Pix</span><small>aprovação em segundos</small></label>
        </fieldset>
        <fieldset id="card">
          <legend class="visually-hidden">Cartão de crédito</legend>
          <div class="notice" id="card-notice" role="alert" hidden>
            <p id="card-notice-text"></p>
            <button type="button" class="second pay-by-pix">Pagar com Pix</button>
          </div>
          <payment-card-form id="card-form" base-url="${baseUrl}" public-key="${publicKey}"></payment-card-form>
          <label for="installments">Parcelas</label>
          <select id="installments" aria-describedby="interest">${options}</select>
          <p id="interest" class="quiet">${INTEREST}</p>
        </fieldset>
        <p id="pix-hint" class="hint" hidden>Você recebe um código para pagar no aplicativo do seu banco.</p>
        <p class="notice" id="notice" role="alert" hidden></p>
        <button id="pay" disabled><span>Pagar ${total}</span></button>
        <p class="trust quiet">${LOCK}<span>Pagamento seguro: os dados do cartão vão direto do seu navegador para o processador de pagamentos. A loja não os recebe.</span></p>
      </form>

      <div id="pix" hidden>
        <p id="card-warning" class="hint" hidden>Se o cartão for aprovado depois, estornaremos um dos dois pagamentos.</p>
        <payment-pix id="pix-code" amount="${order.amount}" payee="${PAYEE}"></payment-pix>
        <p id="pix-request" class="quiet">Esta página se atualiza sozinha quando o Pix é pago.</p>
        <button type="button" id="new-pix" hidden>Gerar outro código Pix</button>
        <div id="card-instead">
          <button type="button" id="use-card" class="second">Pagar com cartão</button>
          <p id="not-both" class="quiet">Se mudar para o cartão, não pague mais este código.</p>
        </div>
      </div>

      <div id="result" hidden>
        <p id="result-text"></p>
        <a id="continue" class="button" rel="noreferrer" hidden></a>
        <dl id="facts"></dl>
        <h2>O que acontece agora</h2>
        <ol id="next"></ol>
        <div id="instead" class="hint" hidden>
          <h2>Não quer esperar?</h2>
          <p>Pague com Pix agora. Se o cartão for aprovado depois, estornaremos um dos dois pagamentos.</p>
          <button type="button" class="pay-by-pix">Pagar com Pix</button>
        </div>
        <p class="quiet">Dúvidas? Escreva para <a href="mailto:${CONTACT}?subject=Pedido ${order.number}">${CONTACT}</a> e informe o pedido ${order.number}.</p>
      </div>
      <p class="notice" id="pix-notice" role="alert" hidden></p>
      <p class="visually-hidden" id="busy" role="status"></p>
      <noscript><p class="notice">Ative o JavaScript para pagar.</p></noscript>
    </section>
  </main>
</body>
</html>`;
}

/** For an unknown order. Does not start a new one: the buyer may have paid the order already. */
export function unknownOrderPage() {
  return html`${headOf("Pedido não encontrado")}
<body>
  ${HEADER}
  <main>
    <section>
      <h1>Pedido não encontrado</h1>
      <p>Se você já pagou, não pague de novo: escreva para <a href="mailto:${CONTACT}">${CONTACT}</a>.</p>
      <p>Se ainda não pagou, <a href="/">faça um novo pedido</a>.</p>
    </section>
  </main>
</body>
</html>`;
}

const HEADER = raw(
  `<header><img src="/assets/shirt.svg" alt="" width="32" height="32"><span>Loja Ipê</span></header>`,
);

const LOCK = raw(
  `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M5 7V5a3 3 0 0 1 6 0v2" fill="none" stroke="currentColor" stroke-width="1.5"/><rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor"/></svg>`,
);

function headOf(title: string, extra: unknown = "") {
  return html`<!doctype html>
<html lang="pt-BR">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Loja Ipê</title>
  <link rel="stylesheet" href="/assets/checkout.css">
  <link rel="icon" href="/assets/shirt.svg">
  ${extra}
</head>`;
}

function field(id: string, label: string, attributes: string) {
  const wrong = `${id}-wrong`;
  return html`<div class="field"><label for="${id}">${label}</label>
    <input id="${id}" required aria-describedby="${wrong}" ${raw(attributes)}>
    <p class="wrong" id="${wrong}"></p></div>`;
}
