import type { PaymentsErrorCode } from "payments-sdk";

/** What happened and what to do. The messages themselves stay in English: this is for whoever finds a code in a log. */
export const inPortuguese: Readonly<Record<PaymentsErrorCode, string>> = {
  configuration:
    "A configuração do SDK não tem como funcionar: chave ausente ou trocada, URL base inválida, chave secreta no navegador. Corrija a opção que a mensagem indica, no código ou na variável de ambiente.",
  invalid_request: "Os parâmetros estão errados; nada foi enviado. Corrija cada campo listado em `issues`.",
  card_token_expired:
    "O token do cartão passou dos cinco minutos; nada foi enviado. Peça um novo à página do comprador e envie o mesmo pedido com ele.",
  validation_failed:
    "O serviço considerou a requisição inválida (400 ou 422); ninguém foi cobrado. Corrija o que `issues` aponta e envie de novo; se estiver vazio, leia `body`.",
  authentication_failed:
    "O serviço não aceitou as chaves (401); ninguém foi cobrado. Confira se a chave secreta e a chave pública estão cada uma no seu lugar e se ambas são da conta de `baseUrl`.",
  not_found:
    "Esse caminho não existe na URL base (404); ninguém foi cobrado. Confira `baseUrl`, que não pode conter `/api/v1`; nos endpoints de sellers, tente outro `sellersPath`.",
  rate_limited:
    "Requisições demais (429); ninguém foi cobrado. Espere o tempo de `retryAfterMs`, ou um minuto se ele faltar, e envie de novo.",
  api_error:
    "O serviço respondeu, e a resposta é não. Leia `status` e `body`; com `outcome` `unknown` ou `created`, não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço.",
  server_error:
    "O serviço, ou algo na frente dele, falhou (5xx ou 408). Não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço.",
  redirected:
    "O serviço respondeu com um redirecionamento, que nunca é seguido: isso enviaria o corpo e a chave outra vez, a outro destino. Aponte `baseUrl` para o endereço final, muitas vezes https em vez de http; com `outcome` `unknown`, não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço.",
  connection_failed:
    "A conexão falhou, e não houve resposta. Com `outcome` `unknown`, não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço. Com `not_sent` (não enviado), pode enviar de novo.",
  timed_out:
    "A resposta não chegou dentro de `timeout`. Com `outcome` `unknown`, não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço.",
  aborted:
    "O `signal` de quem fez a chamada a encerrou. Com `outcome` `unknown`, não envie a cobrança de novo: espere o postback ou procure o pagamento no painel do serviço.",
  unexpected_response:
    "O serviço respondeu 2xx, mas com algo que não dá para usar. Não envie a cobrança de novo: procure `transactionId` no painel do serviço ou espere o postback.",
  card_refused:
    "O cartão foi recusado, e nada foi cobrado dele. Peça ao comprador outro cartão, ou Pix, e crie a transação com o mesmo `externalRef`: o pedido é o mesmo.",
  idempotency_conflict:
    "O mesmo `externalRef` já foi usado com outro valor, método ou número de parcelas. Use um `externalRef` novo para um pagamento novo e, para repetir o antigo, mantenha valor, método e parcelas.",
  outcome_pending:
    "Outra chamada para este `externalRef` está em andamento, ou terminou sem que se saiba como; nada mais é enviado para ele. Espere, e nunca cobre o mesmo pedido com um `externalRef` novo.",
  idempotency_store_failed:
    "O armazenamento da idempotência falhou ou não respondeu a tempo. Conserte-o e envie o pedido de novo com o mesmo `externalRef`.",
  environment_mismatch:
    "O serviço está em um ambiente diferente do exigido. Confira `baseUrl` e as chaves, e não aceite pagamentos antes que sejam as do ambiente desejado.",
  invalid_postback:
    "O postback não pôde ser lido ou não é o que a especificação mostra. Responda 400 e não faça nada com ele; `createPostbackHandler` já faz isso.",
  untrusted_postback:
    "O postback não traz uma assinatura válida para o pedido que ele nomeia. Responda 401 e não faça nada com ele; `createPostbackHandler` já faz isso.",
};
