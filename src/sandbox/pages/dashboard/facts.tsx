import type { ComponentChildren } from "preact";
import type { SandboxTransaction } from "../../transaction.ts";
import { Moment } from "../shared/moment.tsx";
import { reais } from "../shared/money.ts";

/** What there is to know about a transaction, row by row. */
export function Facts({ transaction }: { readonly transaction: SandboxTransaction }) {
  const { customer, pix, scenario, externalId, metadata, postBackUrl } = transaction;
  return (
    <section aria-labelledby="facts-heading">
      <h3 id="facts-heading">Facts</h3>
      <dl class="facts">
        <Fact name="Method">{transaction.paymentMethod}</Fact>
        {scenario !== undefined && <Fact name="Card scenario">{scenario}</Fact>}
        {transaction.paymentMethod === "credit_card" && (
          <Fact name="Installments">{transaction.installments}</Fact>
        )}
        <Fact name="Paid">{reais(transaction.paidAmount)}</Fact>
        {transaction.refundedAmount > 0 && <Fact name="Refunded">{reais(transaction.refundedAmount)}</Fact>}
        {transaction.refusedAmount > 0 && <Fact name="Refused">{reais(transaction.refusedAmount)}</Fact>}
        <Fact name="Fee">{reais(transaction.fees)}</Fact>
        <Fact name="Reference">{externalId ?? "none"}</Fact>
        <Fact name="Customer">
          <bdi>{customer.name}</bdi>, <bdi>{customer.email}</bdi>
          {customer.phone !== undefined && (
            <>
              , <bdi>{customer.phone}</bdi>
            </>
          )}
        </Fact>
        <Fact name="Document">
          {customer.document.type} {customer.document.number}
        </Fact>
        {pix && (
          <Fact name="Expires">
            <Moment at={pix.expirationDate} withDate />
          </Fact>
        )}
        {metadata !== undefined && <Fact name="Metadata">{metadata}</Fact>}
        <Fact name="Postback URL" isLong>
          {postBackUrl ?? "none"}
        </Fact>
        <Fact name="Checkout page" isLong>
          <a href={`checkout/${transaction.secureId}`}>{transaction.secureUrl}</a>
        </Fact>
      </dl>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  /** Whether it takes a row of its own. */
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

function Fact({ name, isLong = false, children }: FactProps) {
  return (
    <div class={isLong ? "long" : ""}>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
