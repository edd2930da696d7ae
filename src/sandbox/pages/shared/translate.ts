/** The language of the page. The server chooses the first language of the browser that is English or Portuguese. */
export const language: "pt" | "en" = document.documentElement.lang === "pt-BR" ? "pt" : "en";

type Pairs<Messages> = {
  readonly [Name in keyof Messages]: readonly [english: Messages[Name], portuguese: Messages[Name]];
};

/** Chooses the messages in the page's language. Values of the API, such as a status, are not translated. */
export function translate<Messages extends object>(pairs: Pairs<Messages>): Messages {
  const index = language === "pt" ? 1 : 0;
  const entries = Object.entries<readonly unknown[]>(pairs).map(([name, pair]) => [name, pair[index]]);
  return Object.fromEntries(entries) as Messages;
}

/** A message with a count, such as `1 result` or `2 results`. */
export function plural(one: string, many: string): (count: number) => string {
  return (count) => (count === 1 ? `1 ${one}` : `${count} ${many}`);
}

/** Terms that several parts of the pages show. */
export const words = translate({
  sandbox: ["Payments sandbox", "Sandbox de pagamentos"],
  transactions: ["Transactions", "Transações"],
  requests: ["Requests", "Requisições"],
  transaction: ["Transaction", "Transação"],
  request: ["Request", "Requisição"],
  reference: ["Reference", "Referência"],
  customer: ["Customer", "Comprador"],
  amount: ["Amount", "Valor"],
  invalidAmount: ["Enter the amount in reais, such as 9,90.", "Informe o valor em reais, por exemplo 9,90."],
  method: ["Method", "Método"],
  paid: ["Paid", "Pago"],
  refunded: ["Refunded", "Estornado"],
  armedFaults: ["Armed faults", "Falhas ativas"],
  noResponse: ["no response", "sem resposta"],
  loading: ["Loading…", "Carregando…"],
  close: ["Close", "Fechar"],
  remove: ["Remove", "Remover"],
  removeAll: ["Remove all", "Remover todas"],
});
