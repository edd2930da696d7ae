import type { ComponentChildren } from "preact";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { formatReais, Moment } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { Items } from "./items.tsx";

const texts = choose({
  en: {
    title: "Details",
    created: "Created",
    method: "Method",
    scenario: "Card scenario",
    installments: "Installments",
    paid: "Paid",
    refunded: "Refunded",
    refused: "Refused",
    fee: "Fee",
    reference: "Reference",
    customer: "Customer",
    document: "Document",
    expires: "Expires",
    metadata: "Metadata",
    postbackUrl: "Postback URL",
    checkout: "Checkout page",
    none: "none",
  },
  pt: {
    title: "Detalhes",
    created: "Criada em",
    method: "Método",
    scenario: "Cenário do cartão",
    installments: "Parcelas",
    paid: "Pago",
    refunded: "Estornado",
    refused: "Recusado",
    fee: "Taxa",
    reference: "Referência",
    customer: "Comprador",
    document: "Documento",
    expires: "Expira em",
    metadata: "Metadados",
    postbackUrl: "URL de postback",
    checkout: "Página de checkout",
    none: "nenhuma",
  },
});

/** The fields of a transaction, and its items. */
export function Details({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, scenario, externalId, metadata, postBackUrl } = transaction;
  return (
    <>
      <Items transaction={transaction} />
      <section aria-labelledby="details-heading">
        <h3 id="details-heading">{texts.title}</h3>
        <dl class="facts">
          <Field name={texts.created}>
            <Moment at={transaction.createdAt} withDate />
          </Field>
          <Field name={texts.method}>{transaction.paymentMethod}</Field>
          {scenario !== undefined && <Field name={texts.scenario}>{scenario}</Field>}
          {transaction.paymentMethod === "credit_card" && (
            <Field name={texts.installments}>{transaction.installments}</Field>
          )}
          <Field name={texts.paid}>{formatReais(transaction.paidAmount)}</Field>
          {transaction.refundedAmount > 0 && (
            <Field name={texts.refunded}>{formatReais(transaction.refundedAmount)}</Field>
          )}
          {transaction.refusedAmount > 0 && (
            <Field name={texts.refused}>{formatReais(transaction.refusedAmount)}</Field>
          )}
          <Field name={texts.fee}>{formatReais(transaction.fees)}</Field>
          <Field name={texts.reference}>{externalId ?? texts.none}</Field>
          <Field name={texts.customer}>
            <bdi>{customer.name}</bdi>, <bdi>{customer.email}</bdi>
            {customer.phone !== undefined && (
              <>
                , <bdi>{customer.phone}</bdi>
              </>
            )}
          </Field>
          <Field name={texts.document}>
            {customer.document.type} {customer.document.number}
          </Field>
          {pix && (
            <Field name={texts.expires}>
              <Moment at={pix.expirationDate} withDate />
            </Field>
          )}
          {metadata !== undefined && <Field name={texts.metadata}>{metadata}</Field>}
          <Field name={texts.postbackUrl} isLong>
            {postBackUrl ?? texts.none}
          </Field>
          <Field name={texts.checkout} isLong>
            <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
          </Field>
        </dl>
      </section>
    </>
  );
}

interface FieldProps {
  readonly name: string;
  /** Whether it fills a whole row. */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

function Field({ name, isLong = false, children }: FieldProps) {
  return (
    <div class={isLong ? "long" : ""}>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
