import type { SandboxTransaction, TimelineEntry } from "../../transactions/sandbox-transaction.ts";
import { Fact, formatReais, Moment, OneLine, StatusBadge } from "../shared/format.tsx";
import { methodNames, translate, words } from "../shared/translate.ts";

/** Moves that have one name in both languages. */
const SAME = { med: "MED", chargeback: "chargeback" };

const messages = translate({
  title: ["Details", "Detalhes"],
  created: ["Created", "Criada em"],
  scenario: ["Card scenario", "Cenário do cartão"],
  installments: ["Installments", "Parcelas"],
  refused: ["Refused", "Recusado"],
  fee: ["Fee", "Taxa"],
  document: ["Document", "Documento"],
  expires: ["Expires", "Expira em"],
  metadata: ["Metadata", "Metadados"],
  postbackUrl: ["Postback URL", "URL de postback"],
  checkout: ["Checkout page", "Página de checkout"],
  none: ["none", "nenhuma"],
  items: ["Items", "Itens"],
  differs: [
    (sum: string, amount: string) =>
      `The items add up to ${sum}; the amount of the transaction is ${amount}.`,
    (sum: string, amount: string) => `Os itens somam ${sum}; o valor da transação é ${amount}.`,
  ],
  timeline: ["Timeline", "Linha do tempo"],
  creation: ["created", "criação"],
  byScenario: ["by the card's scenario", "pelo cenário do cartão"],
  moves: [
    { ...SAME, pay: "paid", expire: "expired", cancel: "cancelled", refund: "refund" },
    { ...SAME, pay: "pago", expire: "expirado", cancel: "cancelado", refund: "estorno" },
  ],
  of: [
    (move: string, amount: string) => `${move} of ${amount}`,
    (move: string, amount: string) => `${move} de ${amount}`,
  ],
});

export function Details({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, scenario, externalId, metadata, postBackUrl } = transaction;
  return (
    <>
      <Items transaction={transaction} />
      <section aria-labelledby="details-heading">
        <h3 id="details-heading">{messages.title}</h3>
        <dl class="facts">
          <Fact name={words.reference} isLong>
            {externalId === undefined ? messages.none : <OneLine text={externalId} />}
          </Fact>
          <Fact name={messages.created}>
            <Moment at={transaction.createdAt} withDate />
          </Fact>
          <Fact name={words.method}>
            <span title={transaction.paymentMethod}>{methodNames[transaction.paymentMethod]}</span>
          </Fact>
          <Fact name={messages.scenario}>{scenario}</Fact>
          <Fact name={messages.installments}>
            {transaction.paymentMethod === "credit_card" && transaction.installments}
          </Fact>
          <Fact name={words.paid}>{formatReais(transaction.paidAmount)}</Fact>
          <Fact name={words.refunded}>{formatPositive(transaction.refundedAmount)}</Fact>
          <Fact name={messages.refused}>{formatPositive(transaction.refusedAmount)}</Fact>
          <Fact name={messages.fee}>{formatReais(transaction.fees)}</Fact>
          <Fact name={words.customer}>
            <bdi>{customer.name}</bdi>, <bdi>{customer.email}</bdi>
            {customer.phone !== undefined && [", ", <bdi key="phone">{customer.phone}</bdi>]}
          </Fact>
          <Fact name={messages.document}>
            {customer.document.type} {customer.document.number}
          </Fact>
          <Fact name={messages.expires}>{pix && <Moment at={pix.expirationDate} withDate />}</Fact>
          <Fact name={messages.metadata}>{metadata}</Fact>
          <Fact name={messages.postbackUrl} isLong>
            {postBackUrl ?? messages.none}
          </Fact>
          <Fact name={messages.checkout} isLong>
            <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
          </Fact>
        </dl>
      </section>
    </>
  );
}

function formatPositive(amount: number): string | undefined {
  return amount > 0 ? formatReais(amount) : undefined;
}

function Items({ transaction: { items = [], amount } }: { readonly transaction: SandboxTransaction }) {
  if (items.length === 0) return null;
  const sum = items.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0);
  return (
    <section aria-labelledby="items-heading">
      <h3 id="items-heading">{messages.items}</h3>
      <ul>
        {items.map(({ title, quantity, unitPrice }, index) => (
          <li key={index} class="inline spread">
            <bdi>{title}</bdi>
            <span>
              <span class="muted">{quantity} ×</span> {formatReais(unitPrice)}
            </span>
          </li>
        ))}
      </ul>
      {sum !== amount && <p class="muted">{messages.differs(formatReais(sum), formatReais(amount))}</p>}
    </section>
  );
}

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">{messages.timeline}</h3>
      <ol class="stack timeline">
        {entries.map((entry, index) => (
          <li key={index} class="inline">
            <Moment at={entry.at} withDate />
            <StatusBadge status={entry.status} />
            <span class="muted">{causeOf(entry, index)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function causeOf({ move, amount }: TimelineEntry, index: number): string {
  if (index === 0) return messages.creation;
  if (move === undefined) return messages.byScenario;
  return amount === undefined ? messages.moves[move] : messages.of(messages.moves[move], formatReais(amount));
}
