import { useState } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName } from "../../transactions/sandbox-transaction.ts";
import { takesAmount } from "../../transactions/transaction-records.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { formatReais, readReais } from "../shared/format.tsx";

export const moveNames: Readonly<Record<MoveName, string>> = {
  pay: "Pay",
  expire: "Expire",
  cancel: "Cancel",
  refund: "Refund",
  med: "Return (MED)",
  chargeback: "Charge back",
};

interface Props {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

/** A button for each move that is possible now, and the amount of those that return money. */
export function Moves({ detail: { transaction, moves }, onChanged }: Props) {
  const { id, paidAmount, refundedAmount } = transaction;
  const rest = formatReais(paidAmount - refundedAmount).replace(/[^\d,]/g, "");
  const [text = rest, setText] = useState<string>();
  const action = useAction();

  const make = (move: MoveName) =>
    action.run(async () => {
      const amount = takesAmount(move) ? readReais(text) : undefined;
      await call("POST", `transactions/${id}/${move}`, amount === undefined ? {} : { amount });
      if (amount !== undefined) {
        announce(`${formatReais(amount)} returned.`);
      }
      setText(undefined);
      onChanged();
    });

  return (
    <div class="stack">
      {moves.length === 0 && <p class="muted">No further changes are possible.</p>}
      {moves.some(takesAmount) && (
        <>
          <label for="return-amount">Amount to return, in reais</label>
          <input
            id="return-amount"
            inputMode="decimal"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </>
      )}
      <div class="inline">
        {moves.map((move) => (
          <button
            key={move}
            type="button"
            class={move === "pay" ? "primary" : ""}
            aria-disabled={action.isRunning}
            onClick={() => make(move)}
          >
            {moveNames[move]}
          </button>
        ))}
      </div>
      <Problem text={action.problem} />
    </div>
  );
}
