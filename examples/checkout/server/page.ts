import { html, raw } from "hono/html";
import { formatBRL } from "payments-sdk";
import { type Order, PRODUCT } from "./orders.ts";

/** What the page needs of the service. Both may be public. */
export interface PageSettings {
  readonly baseUrl: string;
  readonly publicKey: string;
}

/**
 * The page of one order.
 *
 * Card inputs have no name and the form has no address, so that a browser in which the script did not load cannot send
 * a card anywhere. The script enables the button.
 */
export function shopPage(order: Order, { baseUrl, publicKey }: PageSettings, isDemo: boolean) {
  const total = formatBRL(order.amount);
  const demo = (value: string) => (isDemo ? `value="${value}"` : "");
  const installments = [1, 2, 3].map(
    (count) =>
      html`<option value="${count}">${count}x de ${formatBRL(Math.ceil(order.amount / count))} sem juros</option>`,
  );
  return html`${headOf("Finalizar compra", html`<script type="module" src="/assets/checkout.js"></script>`)}
<body data-order="${order.id}" data-base-url="${baseUrl}" data-public-key="${publicKey}">
  ${HEADER}
  <main>
    <section aria-labelledby="summary">
      <h2 id="summary">Seu pedido</h2>
      <div class="item">
        <img src="/assets/shirt.svg" alt="" width="72" height="72">
        <p><strong>${PRODUCT.title}</strong><br>Algodão, tamanho M</p>
        <strong>${total}</strong>
      </div>
    </section>
    <section aria-labelledby="title">
      <h1 id="title">Pagamento</h1>
      <p class="notice" id="notice" role="alert" hidden></p>

      <form id="form" hidden>
        <fieldset>
          <legend>Seus dados</legend>
          ${field("name", "Nome completo", `autocomplete="name" maxlength="200" ${demo("Maria Exemplo")}`)}
          ${field("email", "E-mail", `type="email" autocomplete="email" maxlength="200" ${demo("maria@example.com")}`)}
          ${field("phone", "Celular com DDD", `type="tel" autocomplete="tel-national" maxlength="20" ${demo("11 99999-8888")}`)}
          ${field("document", "CPF", `inputmode="numeric" maxlength="14" ${demo("529.982.247-25")}`)}
        </fieldset>
        <fieldset class="methods">
          <legend>Forma de pagamento</legend>
          <label><input type="radio" name="method" id="method-card" checked> Cartão</label>
          <label><input type="radio" name="method" id="method-pix"> Pix</label>
        </fieldset>
        <fieldset id="card">
          <legend>Cartão</legend>
          ${field("number", "Número do cartão", `inputmode="numeric" autocomplete="cc-number"`)}
          ${field("holderName", "Nome impresso no cartão", `autocomplete="cc-name"`)}
          ${field("expiry", "Validade (MM/AA)", `autocomplete="cc-exp" maxlength="7"`)}
          ${field("cvv", "Código (CVV)", `inputmode="numeric" autocomplete="cc-csc" maxlength="4"`)}
          <label for="installments">Parcelas</label>
          <select id="installments">${installments}</select>
          <p class="quiet">O cartão vai do seu navegador para o processador de pagamentos. Esta loja não o recebe.</p>
        </fieldset>
        <button id="pay" disabled>Pagar ${total}</button>
      </form>

      <div id="pix" hidden>
        <h2 id="pix-title" tabindex="-1">Pague com Pix</h2>
        <img id="pix-picture" alt="QR code do Pix" width="220" height="220">
        <label for="pix-code">Pix copia e cola</label>
        <input id="pix-code" readonly>
        <p id="pix-end"></p>
        <p class="quiet">Esta página muda sozinha. Prefere cartão? Só se ainda não pagou este Pix: <a href="/">faça outro pedido</a>.</p>
      </div>

      <div id="result" hidden>
        <h2 id="result-title" tabindex="-1"></h2>
        <p id="result-text"></p>
      </div>
      <p class="quiet" id="busy" role="status" hidden>Processando o pagamento. Não feche esta página.</p>
      <noscript><p class="notice">Ative o JavaScript para pagar.</p></noscript>
    </section>
  </main>
</body>
</html>`;
}

/** For an order that the shop does not know. Never a new one instead: the buyer may have paid it. */
export function unknownOrderPage() {
  return html`${headOf("Pedido não encontrado")}
<body>
  ${HEADER}
  <main>
    <section>
      <h1>Pedido não encontrado</h1>
      <p>Se você já pagou, não pague de novo: fale com a loja. Se ainda não pagou, <a href="/">faça um novo pedido</a>.</p>
    </section>
  </main>
</body>
</html>`;
}

const HEADER = raw(`<header>Loja Ipê</header>`);

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
  return html`<label for="${id}">${label}</label><input id="${id}" required ${raw(attributes)}>`;
}
