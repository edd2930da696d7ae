import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName } from "../../move-names.ts";
import { announce } from "../shared/announcer.tsx";
import { call } from "../shared/api.ts";
import { centsOf, reais } from "../shared/money.ts";
import { Problem } from "../shared/problem.tsx";
import { useAction } from "../shared/use-action.ts";

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

/** The moves that make sense now, as buttons. */
export function Moves({ detail, onChanged }: Props) {
  const { transaction, moves } = detail;
  const left = transaction.paidAmount - transaction.refundedAmount;
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
    const amount = field.value.trim() === "" ? undefined : centsOf(field.value);
    if (amount === undefined && field.value.trim() !== "") {
      action.fail("Write the amount in reais, such as 9,90.");
      return;
    }
    if (amount !== undefined && amount > left) {
      action.fail(`Only ${reais(left)} of it are left.`);
      return;
    }
    move("refund", amount === undefined ? {} : { amount }, () => {
      announce(amount === undefined ? "Refunded." : `Refunded ${reais(amount)}.`);
      field.value = ""; // what was refused stays, to be corrected
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
              aria-disabled={action.busy}
              onClick={() => move(name)}
            >
              {LABELS[name]}
            </button>
          ))}
        </div>
      )}
      {moves.includes("refund") && (
        <form class="refund" onSubmit={refund}>
          <label for="refund-amount">Refund, in reais (leave it empty for all {reais(left)})</label>
          <input id="refund-amount" name="amount" inputMode="decimal" autocomplete="off" />
          <button type="submit" aria-disabled={action.busy}>
            {LABELS.refund}
          </button>
        </form>
      )}
      {moves.length === 0 && <p class="muted">Nothing can happen to it any more.</p>}
      <Problem text={action.problem} />
    </div>
  );
}
