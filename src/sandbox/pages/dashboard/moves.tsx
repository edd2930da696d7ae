import { useState } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { formatReais, parseReais } from "../shared/format.tsx";
import { t, words } from "../shared/texts.ts";
import { Dialog } from "./dialog.tsx";

type QuestionedMove = Exclude<MoveName, "pay">;

/** The question before a move, and the button that confirms it. */
const questions: Readonly<Record<QuestionedMove, readonly [question: string, confirm: string]>> = {
  expire: t(["Expire this pix?", "Expire"], ["Expirar este Pix?", "Expirar"]),
  cancel: t(["Cancel this payment?", "Cancel payment"], ["Cancelar este pagamento?", "Cancelar pagamento"]),
  refund: t(["Refund this payment?", "Refund"], ["Estornar este pagamento?", "Estornar"]),
  med: t(
    ["Return this pix through the MED?", "Return (MED)"],
    ["Devolver este Pix pelo MED?", "Devolver (MED)"],
  ),
  chargeback: t(
    ["Charge back this payment?", "Charge back"],
    ["Simular um chargeback deste pagamento?", "Simular chargeback"],
  ),
};

interface Props {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

/** A button for each move that is possible now. All but `pay` ask first, because they cannot be undone. */
export function Moves({ detail, onChanged }: Props) {
  const { transaction, moves } = detail;
  const [asked, setAsked] = useState<QuestionedMove>();
  // A change from elsewhere can make the move impossible while the dialog is open.
  const move = asked && moves.includes(asked) ? asked : undefined;
  const close = () => setAsked(undefined);
  const action = useAction();
  const pay = () =>
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/pay`);
      onChanged();
    });

  return (
    <div class="stack">
      {moves.length === 0 && (
        <p class="muted">{t("No further changes are possible.", "Nenhuma outra mudança é possível.")}</p>
      )}
      <div class="inline">
        {moves.map((name) =>
          name === "pay" ? (
            <button key={name} type="button" class="primary" aria-disabled={action.isRunning} onClick={pay}>
              {t("Pay", "Pagar")}
            </button>
          ) : (
            <button key={name} type="button" aria-haspopup="dialog" onClick={() => setAsked(name)}>
              {questions[name][1]}…
            </button>
          ),
        )}
      </div>
      <Problem text={action.problem} />
      {move && (
        <Dialog title={questions[move][0]} onClose={close}>
          <Question detail={detail} move={move} onClose={close} onDone={onChanged} />
        </Dialog>
      )}
    </div>
  );
}

interface QuestionProps {
  readonly detail: TransactionDetail;
  readonly move: QuestionedMove;
  onClose(): void;
  onDone(): void;
}

function Question({ detail: { transaction }, move, onClose, onDone }: QuestionProps) {
  const { id, amount, paidAmount, refundedAmount } = transaction;
  const [text, setText] = useState(() => formatReais(paidAmount - refundedAmount).replace(/^\D+/, ""));
  const action = useAction();
  const isReturn = move === "refund" || move === "med";
  const cents = isReturn ? parseReais(text) : undefined;
  const [, confirm] = questions[move];

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isReturn && cents === undefined) {
      action.setProblem(words.invalidAmount);
      return;
    }
    action.run(async () => {
      await call("POST", `transactions/${id}/${move}`, isReturn ? { amount: cents } : undefined);
      const done = t(`Done: ${confirm}.`, `Concluído: ${confirm}.`);
      const returned = formatReais(cents ?? 0);
      announce(cents === undefined ? done : t(`${returned} returned.`, `${returned} devolvidos.`));
      onClose();
      onDone();
    });
  }

  return (
    <form class="stack" noValidate autocomplete="off" onSubmit={submit}>
      <p>
        {t(`Transaction ${id}, ${formatReais(amount)}`, `Transação ${id}, ${formatReais(amount)}`)}.{" "}
        {t("This cannot be undone.", "Não é possível desfazer.")}
      </p>
      {isReturn && (
        <>
          <label for="return-amount">{t("Amount to return, in reais", "Valor a devolver, em reais")}</label>
          <input
            id="return-amount"
            inputMode="decimal"
            autofocus
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <p class="muted">
            {t(
              "The status changes when everything is returned. For a part, a postback is sent only with the option partialRefunds.",
              "O status muda quando tudo é devolvido. De uma parte, um postback só é enviado com a opção partialRefunds.",
            )}
          </p>
        </>
      )}
      <Problem text={action.problem} />
      <div class="inline">
        <button type="submit" class="danger" aria-disabled={action.isRunning}>
          {cents === undefined ? confirm : `${confirm} ${formatReais(cents)}`}
        </button>
        <button type="button" autofocus={!isReturn} onClick={onClose}>
          {t("Go back", "Voltar")}
        </button>
      </div>
    </form>
  );
}
