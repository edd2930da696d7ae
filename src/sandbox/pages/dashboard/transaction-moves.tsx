import { useState } from "preact/hooks";
import type { TransactionDetail } from "../../control/views.ts";
import type { MoveName, SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Fact, formatReais, parseReais, StatusBadge } from "../shared/format.tsx";
import { translate, words } from "../shared/translate.ts";
import { Dialog } from "./dialog.tsx";

type QuestionedMove = Exclude<MoveName, "pay">;

const questions = translate<
  Record<QuestionedMove, { readonly title: string; readonly confirm: string; readonly status: SandboxStatus }>
>({
  expire: [
    { title: "Expire this pix?", confirm: "Expire", status: "expired" },
    { title: "Expirar este Pix?", confirm: "Expirar", status: "expired" },
  ],
  cancel: [
    { title: "Cancel this payment?", confirm: "Cancel payment", status: "cancelled" },
    { title: "Cancelar este pagamento?", confirm: "Cancelar pagamento", status: "cancelled" },
  ],
  refund: [
    { title: "Refund this payment?", confirm: "Refund", status: "refunded" },
    { title: "Estornar este pagamento?", confirm: "Estornar", status: "refunded" },
  ],
  med: [
    { title: "Return this pix through the MED?", confirm: "Return (MED)", status: "refunded" },
    { title: "Devolver este Pix pelo MED?", confirm: "Devolver (MED)", status: "refunded" },
  ],
  chargeback: [
    { title: "Charge back this payment?", confirm: "Charge back", status: "chargedback" },
    { title: "Simular um chargeback deste pagamento?", confirm: "Simular chargeback", status: "chargedback" },
  ],
});

const messages = translate({
  pay: ["Pay", "Pagar"],
  none: ["No further changes are possible.", "Nenhuma outra mudança é possível."],
  toReturn: ["Amount to return, in reais", "Valor a devolver, em reais"],
  becomes: ["The status becomes", "O status passa a ser"],
  final: [". This cannot be undone.", ". Não é possível desfazer."],
  stays: ["The status stays", "O status continua"],
  partly: [
    (rest: string) =>
      `, and ${rest} can still be returned. No postback is sent, except with the option partialRefunds.`,
    (rest: string) =>
      `, e ainda será possível devolver ${rest}. Nenhum postback é enviado, a não ser com a opção partialRefunds.`,
  ],
  postback: ["A postback is sent.", "Um postback é enviado."],
  back: ["Go back", "Voltar"],
  atMost: [
    (amount: string) => `At most ${amount} can be returned.`,
    (amount: string) => `É possível devolver no máximo ${amount}.`,
  ],
  done: [(name: string) => `Done: ${name}.`, (name: string) => `Concluído: ${name}.`],
  hasReturned: [(amount: string) => `${amount} returned.`, (amount: string) => `${amount} devolvidos.`],
});

interface Props {
  readonly detail: TransactionDetail;
  onChanged(): void;
}

/** A button for each move that is possible now. All but `pay` ask first, because they cannot be undone. */
export function Moves({ detail, onChanged }: Props) {
  const { transaction, moves } = detail;
  const [question, setQuestion] = useState<QuestionedMove>();
  // A change from elsewhere can make the move impossible while the dialog is open.
  const move = question && moves.includes(question) ? question : undefined;
  const close = () => setQuestion(undefined);
  const action = useAction();
  const start = (name: MoveName) => {
    if (name !== "pay") return setQuestion(name);
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/pay`);
      onChanged();
    });
  };

  return (
    <div class="stack">
      {moves.length === 0 && <p class="muted">{messages.none}</p>}
      <div class="inline buttons">
        {moves.map((name) => (
          <button
            key={name}
            type="button"
            class={name === "pay" ? "primary" : ""}
            aria-disabled={action.isRunning}
            aria-haspopup={name === "pay" ? undefined : "dialog"}
            onClick={() => start(name)}
          >
            {name === "pay" ? messages.pay : `${questions[name].confirm}…`}
          </button>
        ))}
      </div>
      <Problem text={action.problem} />
      {move && (
        <Dialog title={questions[move].title} onClose={close}>
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

function Question({ detail: { transaction, pixReturnedAs }, move, onClose, onDone }: QuestionProps) {
  const { id, amount, paidAmount, refundedAmount } = transaction;
  const returnable = paidAmount - refundedAmount;
  const [text, setText] = useState(() => formatReais(returnable).replace(/^\D+/, ""));
  const action = useAction();
  const isReturn = move === "refund" || move === "med";
  const cents = isReturn ? parseReais(text) : undefined;
  const problem = isReturn ? problemWith(cents, returnable) : undefined;
  const { confirm, status } = { ...questions[move], ...(move === "med" && { status: pixReturnedAs }) };

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (problem !== undefined) {
      action.setProblem(problem);
      return;
    }
    action.run(async () => {
      await call("POST", `transactions/${id}/${move}`, isReturn ? { amount: cents } : undefined);
      announce(cents === undefined ? messages.done(confirm) : messages.hasReturned(formatReais(cents)));
      onClose();
      onDone();
    });
  }

  /** Cents that can still be returned afterwards. */
  const rest = isReturn ? returnable - (cents ?? 0) : 0;
  return (
    <form class="stack question" noValidate autocomplete="off" onSubmit={submit}>
      <dl class="facts">
        <Fact name={words.transaction}>{id}</Fact>
        <Fact name={words.amount}>{formatReais(amount)}</Fact>
      </dl>
      {isReturn && (
        <div>
          <label for="return-amount">{messages.toReturn}</label>
          <input
            id="return-amount"
            inputMode="decimal"
            autofocus
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
      )}
      <p aria-live="polite">
        {problem === undefined && (
          <>
            {rest > 0 ? messages.stays : messages.becomes}{" "}
            <StatusBadge status={rest > 0 ? "approved" : status} />
            {rest > 0 ? messages.partly(formatReais(rest)) : messages.final}
            {rest === 0 && transaction.postBackUrl !== undefined && ` ${messages.postback}`}
          </>
        )}
      </p>
      <Problem text={action.problem} />
      <div class="inline buttons">
        <button type="submit" class="danger" aria-disabled={action.isRunning}>
          {cents === undefined ? confirm : `${confirm} ${formatReais(cents)}`}
        </button>
        <button type="button" autofocus={!isReturn} onClick={onClose}>
          {messages.back}
        </button>
      </div>
    </form>
  );
}

function problemWith(cents: number | undefined, returnable: number): string | undefined {
  if (cents === undefined || cents === 0) return words.invalidAmount;
  return cents > returnable ? messages.atMost(formatReais(returnable)) : undefined;
}
