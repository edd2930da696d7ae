import type {
  OpenPostback,
  OrderRecord,
  ResolvedOrder,
  StoredTransaction,
  UnresolvedReason,
} from "../../idempotency.ts";
import type { TransactionStatus } from "../../postbacks.ts";
import { type Texts, t } from "../language.ts";

/** The record of the order's postbacks is damaged. */
export const isUnreadable = ({ lastError }: OpenPostback) => lastError?.name === "UnreadableRecord";

export type KnownStatus = Exclude<TransactionStatus, "unrecognized">;

export function describeState({ state, reason }: OrderRecord): string {
  const meaning = t(...STATES[state]);
  return state === "unresolved" ? `${meaning} (${t(...REASONS[reason ?? "no_response"])})` : meaning;
}

const STATES: Readonly<Record<OrderRecord["state"], Texts>> = {
  unresolved: ["it is not known whether the customer was charged", "não se sabe se o comprador foi cobrado"],
  claimed: ["a process is sending the payment now", "um processo está enviando a cobrança agora"],
  created: ["the service has a transaction", "o serviço tem uma transação"],
  free: ["no one was charged", "ninguém foi cobrado"],
};

export const ORDER_STATES = Object.keys(STATES);

const REASONS: Readonly<Record<UnresolvedReason, Texts>> = {
  no_response: ["the request got no usable response", "a requisição não teve resposta utilizável"],
  not_reported: ["the process never reported how it ended", "o processo não informou como terminou"],
};

/** What a transaction was paid with, in cents: `paidAmount` is 0 in the response to a create request. */
export function amountPaid({ paidAmount, amount }: StoredTransaction): number {
  return paidAmount || amount;
}

/**
 * What to do about an order, one step a line. Lines that begin with a space belong to the line before.
 *
 * @param suggest - Returns a command that resolves this order, with these options.
 */
export function nextSteps(order: OrderRecord, suggest: (options: string) => string): readonly string[] {
  const { state, attempt, transactionId, transaction } = order;
  if (state === "unresolved") return stepsForUnresolved(order, suggest);
  if (state === "free") return [`${t("Nothing to do.", "Nada a fazer.")} ${nextIsSent()}`];
  if (state === "claimed") {
    return [
      t(
        "Wait for it to finish. If its process crashed, the order becomes unresolved when the lease expires.",
        "Espere terminar. Se o processo caiu, o pedido passa a unresolved quando o lease expira.",
      ),
    ];
  }
  const record = (status: string) =>
    `  ${suggest(`--attempt ${attempt} --transaction ${transactionId} --status ${status}`)}`;
  const status = transaction?.status;
  if (transaction === undefined || status === undefined || status === "unrecognized") {
    const check = t(
      `Check transaction ${transactionId} with the service (dashboard or support), and record its status:`,
      `Confira a transação ${transactionId} com o serviço (painel ou suporte) e registre o status:`,
    );
    return [check, record("<status>")];
  }
  const ifConfirmed = (english: string, portuguese: string) =>
    `${t("If the service confirms that", "Se o serviço confirma que")} ${t(english, portuguese)}:`;
  if (isLostPix(transaction)) {
    return [lostPix(), ifConfirmed("the pix has expired", "o Pix expirou"), record("expired")];
  }
  if (status === "approved" && amountPaid(transaction) !== order.amount) {
    const isWhole = ifConfirmed("the whole amount is paid", "o valor inteiro está pago");
    return [t(...OTHER_AMOUNT), isWhole, record("approved")];
  }
  const step = t(...STEPS[status]);
  if (status === "approved") return [step, t(...UNLESS_REVIEWED)];
  if (status !== "pending" && status !== "processing") return [step];
  return [step, ifConfirmed("it is paid", "está pago"), record("approved")];
}

/** What to do if a person has mistyped the transaction of an order; nothing if the service has named it. */
export function stepsForMistake(
  { attempt, isByHand }: OrderRecord,
  suggest: (options: string) => string,
): readonly string[] {
  if (isByHand !== true) return [];
  const step = t(
    "A person recorded this transaction. If it is not the one of this order, replace it:",
    "Uma pessoa registrou esta transação. Se ela não é a deste pedido, troque-a:",
  );
  return [step, `  ${suggest(`--attempt ${attempt} --transaction <id> --status <status> --correct`)}`];
}

/**
 * What to do about the open postbacks of an order, in lines as those of {@link nextSteps}.
 *
 * @param suggest - Returns a command for this order, with these options.
 */
export function stepsForPostbacks(
  postbacks: readonly OpenPostback[],
  suggest: (command: string, options: string) => string,
): readonly string[] {
  if (postbacks.length === 0) return [];
  const close = `  ${suggest("postbacks close", "")}`;
  if (postbacks.some(isUnreadable)) {
    const advice = t(
      "Check the order with the service, do by hand what it needs, and remove the record:",
      "Confira o pedido com o serviço, faça à mão o que falta e apague o registro:",
    );
    return [`${t(...UNREADABLE)} ${advice}`, close];
  }
  if (postbacks.every(({ state }) => state === "running")) {
    return [
      t(
        "Its open postbacks are running. Wait a minute, and run this command again.",
        "Os postbacks abertos estão rodando. Espere um minuto e rode este comando de novo.",
      ),
    ];
  }
  return [
    t(
      "Your callback has not succeeded for the open postbacks. Fix the cause, and deliver them:",
      "O seu callback não rodou com sucesso para os postbacks abertos. Corrija a causa e entregue-os:",
    ),
    `  ${suggest("postbacks deliver", "--to <url>")}`,
    t(
      "If you do by hand what the order needs, end them: otherwise your callback does it again.",
      "Se você fizer à mão o que falta, encerre-os: senão o callback faz tudo de novo.",
    ),
    close,
  ];
}

function isLostPix({ status, paymentMethod, pix }: StoredTransaction): boolean {
  return status === "pending" && paymentMethod === "pix" && !pix?.qrcodeText;
}

function stepsForUnresolved(
  { externalRef, attempt, paymentMethod, earlierIds }: OrderRecord,
  suggest: (options: string) => string,
): readonly string[] {
  const ids = earlierIds.join(", ");
  const earlier = t(` Ignore ${ids}, of earlier attempts.`, ` Ignore ${ids}, de tentativas anteriores.`);
  const isPix = paymentMethod === "pix";
  const status = isPix ? "expired" : "<status>";
  const check = t(
    `Check with the service (dashboard or support) whether transactions with the reference ${externalRef} exist.`,
    `Confira com o serviço (painel ou suporte) se há transações com a referência ${externalRef}.`,
  );
  return [
    ...(isPix ? [`${t(...LOST_CODE)} ${replacePix()}`] : []),
    `${check}${ids && earlier}`,
    isPix
      ? t(
          "If there is one, wait until it expires: its postback resolves the order. If no postback arrives, record that:",
          "Se houver uma, espere expirar: o postback libera o pedido. Se ele não vier, registre isso:",
        )
      : t("If there is one, record its id and its status:", "Se houver uma, registre o id e o status dela:"),
    `  ${suggest(`--attempt ${attempt} --transaction <id> --status ${status}`)}`,
    t(
      "If there is none after 15 minutes, record that. The next create call is then sent and charges the customer:",
      "Se não houver nenhuma depois de 15 minutos, registre isso. A próxima tentativa será então enviada e cobrará o comprador:",
    ),
    `  ${suggest(`--attempt ${attempt} --not-charged`)}`,
  ];
}

const nextIsSent = () =>
  t(
    "The next create call with this reference is sent.",
    "A próxima cobrança com esta referência será enviada.",
  );

const LOST_CODE: Texts = [
  "Its code was lost, so the SDK assumes that no one can pay it.",
  "O código se perdeu, então o SDK supõe que ninguém pode pagá-lo.",
];

const replacePix = () =>
  `createPix(params, { replaceLost: true }) ${t("creates a new code.", "gera um código novo.")}`;

function lostPix(): string {
  const rule = t(
    "Do not ship it. A create call without replaceLost fails:",
    "Não envie o pedido. Uma nova cobrança sem replaceLost falha:",
  );
  return `${t(...LOST_CODE)} ${rule} ${replacePix()}`;
}

export const UNREADABLE: Texts = [
  "The record of its postbacks cannot be read, so nothing can be delivered.",
  "O registro dos postbacks não pode ser lido: não dá para entregar nada.",
];

/** The store does not know what `onReview` reported. */
const UNLESS_REVIEWED: Texts = [
  "If onReview reported this payment, a person must decide: see docs/on-call.md.",
  "Se o onReview recebeu este pagamento, uma pessoa precisa decidir: veja docs/pt/plantao.md.",
];

const OTHER_AMOUNT: Texts = [
  "It is approved over another amount. Do not ship it. Check it with the service.",
  "Está approved com outro valor. Não envie o pedido. Confira com o serviço.",
];

const WAIT: Texts = [
  "Wait for the payment. Do not ship it yet.",
  "Espere o pagamento. Ainda não envie o pedido.",
];
const NOT_PAID: Texts = ["It is not paid. Do not ship it.", "Não está pago. Não envie o pedido."];

const STEPS: Readonly<Record<KnownStatus, Texts>> = {
  pending: WAIT,
  processing: WAIT,
  approved: [
    "It is paid. Ship it if your shop has not done so.",
    "Está pago. Envie, se a loja ainda não enviou.",
  ],
  refused: NOT_PAID,
  cancelled: NOT_PAID,
  expired: NOT_PAID,
  refunded: ["It was refunded. Do not ship it.", "Foi estornado. Não envie o pedido."],
  chargedback: ["It was charged back. Do not ship it.", "Houve chargeback. Não envie o pedido."],
};

export const TRANSACTION_STATUSES = Object.keys(STEPS);

/** Whether a transaction pays for the whole order. */
export function isPaid({ transaction }: ResolvedOrder, amount: number): boolean {
  return transaction?.status === "approved" && amountPaid(transaction) === amount;
}

/**
 * What the shop has to do after an order was resolved by hand.
 *
 * @param details.amount - Of the order, in cents.
 * @param details.status - Of the transaction that the order has now; missing if it is not known.
 * @param details.deliverCommand - Sends the payment of the order to the shop's handler; missing if that may not ship it.
 */
export function stepsAfterResolving(
  resolved: ResolvedOrder,
  details: {
    readonly amount: number;
    readonly status: TransactionStatus | undefined;
    readonly deliverCommand: string | undefined;
  },
): readonly string[] {
  const { state, transactionId, transaction } = resolved;
  const { amount, status = "unrecognized", deliverCommand } = details;
  const update = t(
    "No callback of your handler runs for this change: update your shop's orders table yourself.",
    "Nenhum callback do seu handler roda por causa disso: atualize à mão a tabela de pedidos da loja.",
  );
  if (state === "free") {
    return [update, `${nextIsSent()} ${t("The customer can pay again.", "O comprador pode pagar de novo.")}`];
  }
  const last = t(
    "From now on, create calls with this reference return this transaction.",
    "A partir de agora, cobrar com esta referência só retorna esta transação.",
  );
  if (status === "unrecognized") {
    const check = t(
      `Check transaction ${transactionId} with the service.`,
      `Confira a transação ${transactionId} com o serviço.`,
    );
    return [update, check, last];
  }
  const step = t(...STEPS[status]);
  if (transaction === undefined) return [update, step, last]; // no postback can have its id
  if (isLostPix(transaction)) return [update, lostPix()];
  if (status !== "approved") return [update, step, last];
  if (!isPaid(resolved, amount)) return [update, t(...OTHER_AMOUNT), last];
  if (deliverCommand === undefined) return [update, step, t(...BY_HAND), last];
  const deliver = t(
    "Or let your handler do it, unless onReview has reported this payment:",
    "Ou deixe isso com o seu handler, a não ser que o onReview tenha recebido este pagamento:",
  );
  return [update, step, deliver, `  ${deliverCommand}`, last];
}

/** The first postback of another transaction made the mistake the winner of the order, and the winner does not change. */
const BY_HAND: Texts = [
  "Do it by hand: your handler may take this payment for a second one, and call onReview. If it is refunded, no callback may run.",
  "Faça à mão: o handler pode tomar este pagamento por um segundo e chamar o onReview. Em um estorno, talvez nenhum callback rode.",
];

/** Names other orders that have the transaction of an order; `undefined` if there are none. */
export function warnOfSharing(
  id: number | string | undefined,
  references: readonly string[],
): string | undefined {
  if (references.length === 0) return undefined;
  const names = references.map((reference) => JSON.stringify(reference)).join(", ");
  return t(
    `Warning: transaction ${id} is also recorded for ${names}. Check its reference with the service, and correct the order that it does not belong to.`,
    `Atenção: a transação ${id} também está registrada em ${names}. Confira a referência dela com o serviço e corrija o pedido ao qual ela não pertence.`,
  );
}

/** Names other transactions of the order that may have charged the customer; `undefined` if there are none. */
export function warnOfDuplicates({ possibleDuplicates }: OrderRecord): string | undefined {
  if (possibleDuplicates.length === 0) return undefined;
  const names = possibleDuplicates.map(({ id, status }) => `${id} (${status})`).join(", ");
  return t(
    `Possibly charged twice: check ${names} with the service too, and have any duplicate charge refunded.`,
    `Talvez cobrado duas vezes: confira também ${names} com o serviço e peça o estorno do que estiver em dobro.`,
  );
}
