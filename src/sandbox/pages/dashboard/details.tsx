import type { MoveName, SandboxTransaction, TimelineEntry } from "../../transactions/sandbox-transaction.ts";
import { Fact, formatReais, Moment, StatusBadge } from "../shared/format.tsx";
import { methodNames, t, words } from "../shared/texts.ts";

/** What happened to a transaction. */
const moveNames: Readonly<Record<MoveName, string>> = {
  pay: t("paid", "pago"),
  expire: t("expired", "expirado"),
  cancel: t("cancelled", "cancelado"),
  refund: t("refund", "estorno"),
  med: "MED",
  chargeback: "chargeback",
};

export function Details({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, scenario, externalId, metadata, postBackUrl } = transaction;
  return (
    <>
      <Items transaction={transaction} />
      <section aria-labelledby="details-heading">
        <h3 id="details-heading">{t("Details", "Detalhes")}</h3>
        <dl class="facts">
          <Fact name={words.reference} isLong>
            <span class="one-line" title={externalId}>
              {externalId ?? t("none", "nenhuma")}
            </span>
          </Fact>
          <Fact name={t("Created", "Criada em")}>
            <Moment at={transaction.createdAt} />
          </Fact>
          <Fact name={words.method}>
            <span title={transaction.paymentMethod}>{methodNames[transaction.paymentMethod]}</span>
          </Fact>
          <Fact name={t("Card scenario", "Cenário do cartão")}>{scenario}</Fact>
          <Fact name={t("Installments", "Parcelas")}>
            {transaction.paymentMethod === "credit_card" && transaction.installments}
          </Fact>
          <Fact name={t("Paid", "Pago")}>{formatReais(transaction.paidAmount)}</Fact>
          <Fact name={t("Refunded", "Estornado")}>{formatPositive(transaction.refundedAmount)}</Fact>
          <Fact name={t("Refused", "Recusado")}>{formatPositive(transaction.refusedAmount)}</Fact>
          <Fact name={t("Fee", "Taxa")}>{formatReais(transaction.fees)}</Fact>
          <Fact name={words.customer}>
            <bdi>{customer.name}</bdi>, <bdi>{customer.email}</bdi>
            {customer.phone !== undefined && [", ", <bdi key="phone">{customer.phone}</bdi>]}
          </Fact>
          <Fact name={t("Document", "Documento")}>
            {customer.document.type} {customer.document.number}
          </Fact>
          <Fact name={t("Expires", "Expira em")}>{pix && <Moment at={pix.expirationDate} />}</Fact>
          <Fact name={t("Metadata", "Metadados")}>{metadata}</Fact>
          <Fact name={t("Postback URL", "URL de postback")} isLong>
            {postBackUrl ?? t("none", "nenhuma")}
          </Fact>
          <Fact name={t("Checkout page", "Página de checkout")} isLong>
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
      <h3 id="items-heading">{t("Items", "Itens")}</h3>
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
      {sum !== amount && (
        <p class="muted">
          {t(`The items add up to ${formatReais(sum)}.`, `Os itens somam ${formatReais(sum)}.`)}
        </p>
      )}
    </section>
  );
}

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="timeline-heading">
      <h3 id="timeline-heading">{t("Timeline", "Linha do tempo")}</h3>
      <ol class="stack timeline">
        {entries.map((entry, index) => (
          <li key={index} class="inline">
            <Moment at={entry.at} />
            <StatusBadge status={entry.status} />
            <span class="muted">{causeOf(entry, index)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function causeOf({ move, amount }: TimelineEntry, index: number): string {
  if (index === 0) return t("created", "criação");
  if (move === undefined) return t("by the card's scenario", "pelo cenário do cartão");
  const name = moveNames[move];
  if (amount === undefined) return name;
  return t(`${name} of ${formatReais(amount)}`, `${name} de ${formatReais(amount)}`);
}
