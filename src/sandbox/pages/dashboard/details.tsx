import type { ComponentChildren } from "preact";
import type { SandboxTransaction } from "../../transactions/transaction.ts";
import { formatReais, Moment } from "../shared/format.tsx";

/** The fields of a transaction. */
export function Details({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, scenario, externalId, metadata, postBackUrl } = transaction;
  return (
    <section aria-labelledby="details-heading">
      <h3 id="details-heading">Details</h3>
      <dl class="facts">
        <Field name="Method">{transaction.paymentMethod}</Field>
        {scenario !== undefined && <Field name="Card scenario">{scenario}</Field>}
        {transaction.paymentMethod === "credit_card" && (
          <Field name="Installments">{transaction.installments}</Field>
        )}
        <Field name="Paid">{formatReais(transaction.paidAmount)}</Field>
        {transaction.refundedAmount > 0 && (
          <Field name="Refunded">{formatReais(transaction.refundedAmount)}</Field>
        )}
        {transaction.refusedAmount > 0 && (
          <Field name="Refused">{formatReais(transaction.refusedAmount)}</Field>
        )}
        <Field name="Fee">{formatReais(transaction.fees)}</Field>
        <Field name="Reference">{externalId ?? "none"}</Field>
        <Field name="Customer">
          <bdi>{customer.name}</bdi>, <bdi>{customer.email}</bdi>
          {customer.phone !== undefined && (
            <>
              , <bdi>{customer.phone}</bdi>
            </>
          )}
        </Field>
        <Field name="Document">
          {customer.document.type} {customer.document.number}
        </Field>
        {pix && (
          <Field name="Expires">
            <Moment at={pix.expirationDate} withDate />
          </Field>
        )}
        {metadata !== undefined && <Field name="Metadata">{metadata}</Field>}
        <Field name="Postback URL" isLong>
          {postBackUrl ?? "none"}
        </Field>
        <Field name="Checkout page" isLong>
          <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
        </Field>
      </dl>
    </section>
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
