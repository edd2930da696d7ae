import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { formatReais } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: {
    title: "Items",
    item: "Item",
    quantity: "Quantity",
    unitPrice: "Unit price",
    sum: "Sum",
    differs: (sum: string, amount: string) =>
      `The items add up to ${sum}; the amount of the transaction is ${amount}.`,
  },
  pt: {
    title: "Itens",
    item: "Item",
    quantity: "Quantidade",
    unitPrice: "Preço unitário",
    sum: "Subtotal",
    differs: (sum: string, amount: string) => `Os itens somam ${sum}; o valor da transação é ${amount}.`,
  },
});

/** What was ordered, as the request listed it. */
export function Items({ transaction: { items = [], amount } }: { readonly transaction: SandboxTransaction }) {
  if (items.length === 0) return null;
  const sum = items.reduce((total, { unitPrice, quantity }) => total + unitPrice * quantity, 0);
  return (
    <section aria-labelledby="items-heading">
      <h3 id="items-heading">{texts.title}</h3>
      <table class="items">
        <thead>
          <tr>
            <th scope="col">{texts.item}</th>
            <th scope="col">{texts.quantity}</th>
            <th scope="col">{texts.unitPrice}</th>
            <th scope="col">{texts.sum}</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ title, quantity, unitPrice }, index) => (
            <tr key={index}>
              <td>
                <bdi>{title}</bdi>
              </td>
              <td>{quantity}</td>
              <td>{formatReais(unitPrice)}</td>
              <td>{formatReais(unitPrice * quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sum !== amount && <p class="muted">{texts.differs(formatReais(sum), formatReais(amount))}</p>}
    </section>
  );
}
