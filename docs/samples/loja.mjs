import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import express from "express";
import { formatBRL, isPaymentsError, PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";

const { env } = process;
if (!env.PAYMENTS_BASE_URL) {
  const { baseUrl, secretKey, publicKey } = await startSandbox();
  Object.assign(env, {
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_SECRET_KEY: secretKey,
    PAYMENTS_PUBLIC_KEY: publicKey,
  });
  env.PAYMENTS_POSTBACK_SECRET = randomUUID();
  console.log(`Painel do sandbox: ${baseUrl}`);
}
const { PORT = 3000, HOST = "127.0.0.1", PAYMENTS_POSTBACK_URL = `http://localhost:${PORT}/postbacks` } = env;

const banco = new DatabaseSync(`${import.meta.dirname}/pedidos.db`); // ou o banco da loja
banco.exec("PRAGMA busy_timeout = 5000"); // espera outro processo
banco.exec(
  "CREATE TABLE IF NOT EXISTS pedidos (ref TEXT PRIMARY KEY, valor INTEGER, pago INTEGER DEFAULT 0)",
);
const criarPedido = banco.prepare("INSERT INTO pedidos (ref, valor) VALUES (?, ?)");
const pedidos = banco.prepare("SELECT valor, pago FROM pedidos WHERE ref = ?");
banco.exec("CREATE TABLE IF NOT EXISTS cartoes (ref TEXT, ip TEXT, em INTEGER DEFAULT (unixepoch()))"); // recusados, ou sem resposta
const EXCESSO = `(SELECT count(*) FILTER (WHERE ref = ?1) >= 3
  OR count(*) FILTER (WHERE ip = ?2 AND em > unixepoch() - 3600) >= 5 FROM cartoes)`;
const excesso = banco.prepare(`SELECT ${EXCESSO} AS sim`);
const contar = banco.prepare(`INSERT INTO cartoes (ref, ip) SELECT ?1, ?2 WHERE NOT ${EXCESSO}`);
const descontar = banco.prepare("DELETE FROM cartoes WHERE rowid = ?");
/** Um comprador tem toda a rede /64 do seu endereço IPv6. */
const redeDe = (ip) =>
  ip
    .replace(/^::ffff:/i, "")
    .replace("::", ":0:0:0:0:")
    .split(":")
    .slice(0, 4)
    .join(":");
const quitar = banco.prepare("UPDATE pedidos SET pago = 1 WHERE ref = ? AND pago = 0");

const store = sqliteStore(`${import.meta.dirname}/payments.db`);
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: env.PAYMENTS_POSTBACK_SECRET }] });
const payments = new PaymentsClient({
  idempotency: store,
  postbackSigner: signer,
  postbackUrl: PAYMENTS_POSTBACK_URL,
});
await payments.company.retrieve(); // com a chave errada, a loja nem sobe

function marcarPago(ref) {
  if (!pedidos.get(ref)) throw new Error(`Pedido ${ref} pago, mas não encontrado: confira.`);
  if (quitar.run(ref).changes === 1) console.log(`Pedido ${ref} pago: pode enviar.`); // só uma vez
}
const postbacks = createPostbackHandler({
  signer,
  store,
  onPaid: ({ externalRef }) => marcarPago(externalRef),
  onReview: ({ externalRef, status }, { reason }) =>
    console.log(`Pedido ${externalRef}: confira o postback ${status}: ${reason}.`),
});
const status = createStatusHandler({ signer, store }); // <payment-pix> pergunta se o Pix foi pago

const customer = {
  // troque pelos dados do comprador
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
};
/** Do erro e dos seus issues: os textos do serviço podem citar os dados do comprador. */
const CAMPOS_DO_LOG = ["code", "outcome", "status", "externalRef", "requestId", "issues", "field"];
const pagar =
  (criar) =>
  async ({ body, ip, params: { ref } }, response) => {
    const { valor, pago } = pedidos.get(ref);
    if (pago) return response.redirect(303, `/pedidos/${ref}/`); // mesmo que o store não saiba: um backup restaurado
    const items = [{ title: "Camiseta", unitPrice: valor, quantity: 1, tangible: true }];
    const pedido = { externalRef: ref, amount: valor, customer, items, ip, metadata: {}, traceable: true };
    try {
      const { status, paidAmount } = await criar(pedido, body?.token);
      if (status === "approved" && (paidAmount || valor) === valor) marcarPago(ref); // cartão aprovado na hora pode não gerar postback
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      console.error(JSON.stringify(error, CAMPOS_DO_LOG));
    }
    response.redirect(303, `/pedidos/${ref}/`);
  };

/** Conta o cartão antes de enviar: outros são enviados ao mesmo tempo. */
async function pagarComCartao(pedido, hash) {
  const { changes, lastInsertRowid } = contar.run(pedido.externalRef, redeDe(pedido.ip));
  if (changes === 0) return {};
  let resultado;
  try {
    const cartao = await payments.transactions.createCard({ ...pedido, installments: 1, card: { hash } });
    resultado = cartao.status;
    return cartao;
  } catch (error) {
    resultado = error.code === "outcome_pending" ? "not_sent" : error.outcome; // o segundo clique nada envia
    throw error;
  } finally {
    try {
      if (["approved", "not_sent", "rejected"].includes(resultado)) descontar.run(lastInsertRowid);
    } catch (error) {
      console.error(String(error)); // continua contado, e o pagamento vale
    }
  }
}

function situacaoDe({ state, paymentMethod, transaction, lastStatus } = { state: "novo" }) {
  if (state in TELAS) return lastStatus in TELAS ? lastStatus : state;
  const { status = "pending", pix } = transaction ?? {};
  if (status in TELAS) return status;
  if (paymentMethod === "pix" && status === "pending") return pix ? "pix" : "sem_codigo";
  return "verificando";
}

const formPix = `<form method="post" action="pix"><button>Pagar com Pix</button></form>`;
const formCartao = `<form method="post" action="cartao"><payment-card-form name="token"
  base-url="${env.PAYMENTS_BASE_URL}" public-key="${env.PAYMENTS_PUBLIC_KEY}"></payment-card-form>
  <button>Pagar com cartão</button></form>`;
const escapar = (texto = "") => texto.replace(/[&"<]/g, (c) => `&#${c.charCodeAt(0)};`);
const codigo = async (ref, { qrcodeText, expirationDate }) => `<payment-pix code="${escapar(qrcodeText)}"
  expires-at="${escapar(expirationDate)}" status-url="${await signer.statusUrl("/status", { externalRef: ref })}"></payment-pix>`;
const TELAS = {
  novo: ["Escolha como pagar.", formPix + formCartao],
  free: [
    "O pagamento não deu certo e nada foi cobrado. Tente outro cartão ou pague com Pix.",
    formPix + formCartao,
  ],
  // Suposição: ninguém paga um código que não viu (docs/specification.md#lost-pix).
  sem_codigo: ["O código Pix não chegou. Gere outro.", formPix],
  expired: [
    "O código expirou. Se você já pagou, não pague de novo: fale com a loja. Senão, escolha como pagar.",
    formPix + formCartao,
  ],
  verificando: ["Estamos verificando o pagamento. Não pague de novo: esta página se atualiza sozinha.", ""],
  approved: ["Pagamento confirmado. Obrigado!", ""],
  refunded: ["O pagamento foi estornado.", ""],
};
async function pagina({ ip, params: { ref } }, response) {
  const registro = await store.get(ref);
  let situacao = situacaoDe(registro);
  const { paymentMethod, amount, transaction } = registro ?? {};
  const valorConfere = (transaction?.paidAmount || amount) === amount; // senão, onReview pediu para conferir
  if (situacao === "approved" && paymentMethod === "credit_card" && valorConfere) marcarPago(ref); // se o processo caiu antes
  const { pago } = pedidos.get(ref);
  if (situacao === "approved" && !pago) situacao = "verificando";
  if (pago && TELAS[situacao]?.[1] !== "") situacao = "approved"; // não se paga de novo
  let [texto, formas] = TELAS[situacao] ?? ["", await codigo(ref, transaction.pix)];
  if (excesso.get(ref, redeDe(ip)).sim)
    formas = formas.replace(formCartao, "Muitos cartões recusados: pague com Pix.");
  response.send(`<!doctype html><html lang="pt-BR"><title>Loja Exemplo</title>
    <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/elements.css">
    <link rel="stylesheet" href="/loja.css"><script src="/elements.global.js"></script><script src="/loja.js" defer></script>
    <body id="${situacao}"><h1>Camiseta: ${formatBRL(pedidos.get(ref).valor)}</h1><p>${texto}</p>${formas}</body>`);
}
const ESTILO = `body { max-width: 26rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
  form { margin: 2rem 0 } form > button { width: 100%; margin-top: .5rem; padding: .75rem; border: 0; font: inherit;
    border-radius: .5rem; color: var(--payment-on-accent); background: var(--payment-accent) }`;
const SCRIPT = `addEventListener("payment-status", () => location.reload()); // <payment-pix> soube que foi pago ou expirou
if (document.body.id === "verificando") setInterval(() => document.hidden || location.reload(), 5000);`;

const app = express();
app.all("/postbacks", postbacks.node); // antes de express.urlencoded()
app.get("/status", status.node);
app.use(({ method, headers: { "sec-fetch-site": site, origin, host } }, response, next) => {
  // O navegador envia estes cabeçalhos, e a página não os muda: um POST de outro site é recusado.
  const daLoja = site ? site === "same-origin" : !origin || origin.endsWith(`://${host}`);
  if (method === "POST" && !daLoja) return response.sendStatus(403);
  next();
}, express.urlencoded());
app.get(["/elements.css", "/elements.global.js"], ({ path }, response) =>
  response.sendFile(path, { root: "node_modules/payments-sdk/dist" }),
);
app.get("/loja.css", (_request, response) => response.type("css").send(ESTILO));
app.get("/loja.js", (_request, response) => response.type("js").send(SCRIPT));
app.get(
  "/",
  (
    _request,
    response, // um GET não cria nada: navegadores o repetem
  ) =>
    response.send(`<!doctype html><html lang="pt-BR"><title>Loja Exemplo</title><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="/elements.css"><link rel="stylesheet" href="/loja.css">
    <h1>Camiseta</h1><form method="post"><button>Comprar</button></form>`),
);
app.post("/", (_request, response) => {
  const ref = randomUUID();
  criarPedido.run(ref, 1990); // centavos
  response.redirect(303, `/pedidos/${ref}/`);
});
app.param("ref", (_request, response, next, ref) => {
  response.set(
    "Content-Security-Policy",
    `default-src 'self'; connect-src 'self' ${new URL(env.PAYMENTS_BASE_URL).origin};` +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  next(pedidos.get(ref) ? undefined : "route");
});
app.get("/pedidos/:ref/", pagina);
app.post(
  "/pedidos/:ref/pix",
  pagar((pedido) =>
    payments.transactions.createPix({ ...pedido, pix: { expiresInDays: 1 } }, { replaceLost: true }),
  ),
);
app.post("/pedidos/:ref/cartao", pagar(pagarComCartao));
app.use((error, _request, response, _next) => {
  console.error(String(error)); // sem o corpo, que tem o token do cartão
  response.sendStatus(error.status ?? 500);
});
const server = app.listen(PORT, HOST, () => console.log(`Loja: http://localhost:${PORT}`));
setInterval(() => postbacks.retryFailed().catch((error) => console.error(String(error))), 60_000);
await postbacks.retryFailed(); // o que falhou, ou sobrou de um processo que caiu
const encerrar = () =>
  server.close(async () => {
    await Promise.all([payments.close(), postbacks.close()]); // espera as chamadas e os callbacks
    store.close();
    process.exit();
  });
process.once("SIGINT", encerrar).once("SIGTERM", encerrar);
