import { html, raw } from "hono/html";
import { formatBRL } from "payments-sdk";
import { type Order, PRODUCT } from "./orders.ts";

/** What the page has to know of the service: both may be public. */
export interface PageSettings {
  readonly baseUrl: string;
  readonly publicKey: string;
}

const INSTALLMENTS = [1, 2, 3] as const;

/**
 * The page of one order. Card inputs have no name and their form no address, so that not even a browser whose script
 * did not load could send a card anywhere; the buttons work once the script is there.
 */
export function shopPage(order: Order, { baseUrl, publicKey }: PageSettings) {
  const total = formatBRL(order.amount);
  return html`<!doctype html>
<html lang="pt-BR">
<head>
  ${headOf("Finalizar compra")}
  <script type="module" src="/assets/checkout.js"></script>
</head>
<body data-order="${order.id}" data-base-url="${baseUrl}" data-public-key="${publicKey}">
  ${TOP}
  <main>
    <section class="summary" aria-labelledby="summary-title">
      <h2 id="summary-title">Seu pedido</h2>
      <div class="item">
        <img src="/assets/shirt.svg" alt="" width="72" height="72">
        <div><p class="name">${PRODUCT.title}</p><p class="quiet">Algodão, tamanho M · 1 unidade</p></div>
        <p class="price">${total}</p>
      </div>
      <dl>
        <div><dt>Subtotal</dt><dd>${total}</dd></div>
        <div><dt>Frete</dt><dd>Grátis</dd></div>
        <div class="total"><dt>Total</dt><dd>${total}</dd></div>
      </dl>
    </section>

    <section class="pay" aria-labelledby="title">
      <h1 id="title" tabindex="-1">Pagamento</h1>
      <p class="notice" id="notice" role="alert" hidden></p>
      <p class="quiet" id="loading">Carregando o pedido…</p>

      <div class="state" id="result" role="status" hidden>
        <span class="mark" aria-hidden="true"></span>
        <h2 id="result-title" tabindex="-1"></h2>
        <p id="result-text"></p>
        <a class="again" href="/">Fazer outro pedido</a>
      </div>

      <div id="payment" hidden>
        <fieldset id="buyer">
          <legend>Seus dados</legend>
          ${field("name", "Nome completo", `autocomplete="name" autocapitalize="words" maxlength="200"`)}
          ${field("email", "E-mail", `type="email" inputmode="email" autocomplete="email" maxlength="200"`)}
          <div class="pair">
            ${field("phone", "Celular", `type="tel" inputmode="tel" autocomplete="tel-national" maxlength="200"`)}
            ${field("document", "CPF", `inputmode="numeric" autocomplete="off"`)}
          </div>
        </fieldset>

        <div class="tabs" role="tablist" aria-label="Forma de pagamento">
          <button type="button" role="tab" id="tab-card" aria-controls="panel-card" aria-selected="true">Cartão</button>
          <button type="button" role="tab" id="tab-pix" aria-controls="panel-pix" aria-selected="false" tabindex="-1">Pix</button>
        </div>

        <div id="panel-card" role="tabpanel" aria-labelledby="tab-card">
        <form id="card-form" novalidate>
          ${field("number", "Número do cartão", `inputmode="numeric" autocomplete="cc-number"`, html`<span class="brand" id="brand" hidden></span>`)}
          ${field("holderName", "Nome impresso no cartão", `autocomplete="cc-name" autocapitalize="characters"`)}
          <div class="pair">
            ${field("expiry", "Validade (MM/AA)", `inputmode="numeric" autocomplete="cc-exp"`)}
            ${field("cvv", "Código (CVV)", `inputmode="numeric" autocomplete="cc-csc"`)}
          </div>
          <div class="field">
            <label for="installments">Parcelas</label>
            <select id="installments">
              ${INSTALLMENTS.map((count) => html`<option value="${count}">${count}x de ${formatBRL(Math.ceil(order.amount / count))} sem juros</option>`)}
            </select>
          </div>
          <button class="primary" id="pay-card" disabled>Pagar ${total}</button>
          <p class="quiet">Os dados do cartão vão direto do seu navegador para o processador de pagamentos. Esta loja não os recebe.</p>
        </form>
        </div>

        <div id="panel-pix" role="tabpanel" aria-labelledby="tab-pix" hidden>
          <div id="pix-start">
            <p>Pague em segundos com o aplicativo do seu banco. O pedido é confirmado assim que o Pix cair.</p>
            <button type="button" class="primary" id="pay-pix" disabled>Gerar código Pix</button>
          </div>
          <div id="pix-code" hidden>
            <h2 id="pix-title" tabindex="-1">Pague com Pix</h2>
            <img id="pix-picture" alt="QR code do Pix" width="220" height="220">
            <p class="waiting"><span class="dot" aria-hidden="true"></span><span>Aguardando pagamento <span id="pix-left"></span></span></p>
            <label for="pix-text">Pix copia e cola</label>
            <div class="copy">
              <input id="pix-text" readonly>
              <button type="button" id="pix-copy">Copiar</button>
            </div>
            <p class="quiet" id="pix-copied" role="status"></p>
            <ol class="quiet"><li>Abra o aplicativo do seu banco e escolha Pix.</li><li>Leia o QR code ou cole o código.</li><li>Confirme. Esta página muda sozinha.</li></ol>
            <p class="quiet">Prefere cartão? Só se você ainda não pagou este Pix: <a href="/">faça outro pedido</a>.</p>
          </div>
        </div>
      </div>
      <p class="quiet" id="busy" role="status" hidden>Processando o pagamento. Não feche esta página.</p>
      <noscript><p class="notice">Ative o JavaScript para pagar: os dados do cartão não passam pelo nosso servidor.</p></noscript>
    </section>
  </main>
</body>
</html>`;
}

/** An order that the shop does not know: never a new one in its place, because the buyer may have paid it. */
export function unknownOrderPage() {
  return html`<!doctype html>
<html lang="pt-BR">
<head>${headOf("Pedido não encontrado")}</head>
<body>
  ${TOP}
  <main class="alone">
    <section class="pay">
      <h1>Pedido não encontrado</h1>
      <p>Se você já pagou, não pague de novo: fale com a loja. Se ainda não pagou, <a href="/">faça um novo pedido</a>.</p>
    </section>
  </main>
</body>
</html>`;
}

function headOf(title: string) {
  return html`<meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Loja Ipê</title>
  <link rel="stylesheet" href="/assets/checkout.css">
  <link rel="icon" href="/assets/shirt.svg">`;
}

const TOP = raw(
  `<header class="top"><span class="shop">Loja Ipê</span><span class="safe">Compra segura</span></header>`,
);

function field(name: string, label: string, attributes: string, extra: unknown = "") {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <div class="input"><input id="${name}" aria-describedby="${name}-error" ${raw(attributes)}>${extra}</div>
    <p class="error" id="${name}-error" hidden></p>
  </div>`;
}
