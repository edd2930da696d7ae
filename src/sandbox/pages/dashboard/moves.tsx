import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName } from "../../transactions/transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { formatReais, parseReais } from "../shared/format.tsx";

interface Props {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

const LABELS: Readonly<Record<MoveName, string>> = {
  pay: "Pay",
  expire: "Expire",
  cancel: "Cancel payment",
  refund: "Refund",
  chargeback: "Charge back",
};

/** A button for each move that is possible now. */
export function Moves({ detail, onChanged }: Props) {
  const { transaction, moves } = detail;
  const refundable = transaction.paidAmount - transaction.refundedAmount;
  const action = useAction();
  const move = (name: MoveName, body?: object, done?: () => void) =>
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/${name}`, body);
      onChanged();
      done?.();
    });

  function refund(event: SubmitEvent): void {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("amount") as HTMLInputElement;
    const amount = field.value.trim() === "" ? undefined : parseReais(field.value);
    if (amount === undefined && field.value.trim() !== "") {
      action.fail("Enter the amount in reais, such as 9,90.");
      return;
    }
    if (amount !== undefined && amount > refundable) {
      action.fail(`At most ${formatReais(refundable)} can be refunded.`);
      return;
    }
    move("refund", amount === undefined ? {} : { amount }, () => {
      announce(amount === undefined ? "Refunded." : `Refunded ${formatReais(amount)}.`);
      field.value = ""; // after an error the text is kept, so that it can be corrected
    });
  }

  const buttons = moves.filter((name) => name !== "refund");
  return (
    <div class="moves">
      {buttons.length > 0 && (
        <div class="buttons">
          {buttons.map((name) => (
            <button
              key={name}
              type="button"
              class={name === "pay" ? "primary" : ""}
              aria-disabled={action.isRunning}
              onClick={() => move(name)}
            >
              {LABELS[name]}
            </button>
          ))}
        </div>
      )}
      {moves.includes("refund") && (
        <form class="refund" onSubmit={refund}>
          <label for="refund-amount">
            Refund, in reais (leave empty for the full {formatReais(refundable)})
          </label>
          <input id="refund-amount" name="amount" inputMode="decimal" autocomplete="off" />
          <button type="submit" aria-disabled={action.isRunning}>
            {LABELS.refund}
          </button>
        </form>
      )}
      {moves.length === 0 && <p class="muted">No further changes are possible.</p>}
      <Problem text={action.problem} />
    </div>
  );
}
