import { useState } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName } from "../../transactions/sandbox-transaction.ts";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { choose } from "../shared/language.ts";
import { ConfirmMove, type QuestionedMove } from "./confirm-move.tsx";

const texts = choose({
  en: {
    moves: {
      pay: "Pay",
      expire: "Expire…",
      cancel: "Cancel payment…",
      refund: "Refund…",
      chargeback: "Charge back…",
    },
    none: "No further changes are possible.",
  },
  pt: {
    moves: {
      pay: "Pagar",
      expire: "Expirar…",
      cancel: "Cancelar pagamento…",
      refund: "Estornar…",
      chargeback: "Simular chargeback…",
    },
    none: "Nenhuma outra mudança é possível.",
  },
});

interface Props {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

/** A button for each move that is possible now. All but `pay` ask first: they end the payment, or give it back. */
export function Moves({ detail: { transaction, moves }, onChanged }: Props) {
  const [question, setQuestion] = useState<QuestionedMove>();
  const action = useAction();
  const start = (name: MoveName) => {
    if (name !== "pay") return setQuestion(name);
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/pay`);
      onChanged();
    });
  };

  return (
    <div class="moves">
      {moves.length === 0 && <p class="muted">{texts.none}</p>}
      <div class="buttons">
        {moves.map((name) => (
          <button
            key={name}
            type="button"
            class={name === "pay" ? "primary" : ""}
            aria-disabled={action.isRunning}
            aria-haspopup={name === "pay" ? undefined : "dialog"}
            onClick={() => start(name)}
          >
            {texts.moves[name]}
          </button>
        ))}
      </div>
      <Problem text={action.problem} />
      <ConfirmMove
        transaction={transaction}
        // A change from elsewhere can make the move impossible while the question is open.
        move={question && moves.includes(question) ? question : undefined}
        onClose={() => setQuestion(undefined)}
        onDone={onChanged}
      />
    </div>
  );
}
