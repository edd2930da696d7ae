import { useState } from "preact/hooks";
import type { MoveName, SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { formatReais, parseReais } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";
import { Dialog } from "./dialog.tsx";

/** The moves that ask first. */
export type QuestionedMove = Exclude<MoveName, "pay">;

const texts = choose({
  en: {
    questions: {
      expire: { title: "Expire this pix?", confirm: "Expire" },
      cancel: { title: "Cancel this payment?", confirm: "Cancel payment" },
      refund: { title: "Refund this payment?", confirm: "Refund" },
      chargeback: { title: "Charge back this payment?", confirm: "Charge back" },
    },
    transaction: "Transaction",
    amount: "Amount",
    paid: "Paid",
    refunded: "Already refunded",
    toRefund: "Amount to refund, in reais",
    becomes: (status: string) => [
      "The status becomes ",
      <strong key="status">{status}</strong>,
      ". This cannot be undone.",
    ],
    partly: (rest: string) => [
      "The status stays ",
      <strong key="status">approved</strong>,
      `, and ${rest} can still be refunded. No postback is sent, because the status does not change.`,
    ],
    postback: "A postback is sent.",
    back: "Go back",
    invalidAmount: "Enter the amount in reais, such as 9,90.",
    atMost: (amount: string) => `At most ${amount} can be refunded.`,
    done: (name: string) => `Done: ${name}.`,
    hasRefunded: (amount: string) => `${amount} refunded.`,
  },
  pt: {
    questions: {
      expire: { title: "Expirar este Pix?", confirm: "Expirar" },
      cancel: { title: "Cancelar este pagamento?", confirm: "Cancelar pagamento" },
      refund: { title: "Estornar este pagamento?", confirm: "Estornar" },
      chargeback: { title: "Simular um chargeback deste pagamento?", confirm: "Simular chargeback" },
    },
    transaction: "Transação",
    amount: "Valor",
    paid: "Pago",
    refunded: "Já estornado",
    toRefund: "Valor a estornar, em reais",
    becomes: (status: string) => [
      "O status passa a ser ",
      <strong key="status">{status}</strong>,
      ". Não é possível desfazer.",
    ],
    partly: (rest: string) => [
      "O status continua ",
      <strong key="status">approved</strong>,
      `, e ainda será possível estornar ${rest}. Nenhum postback é enviado, porque o status não muda.`,
    ],
    postback: "Um postback é enviado.",
    back: "Voltar",
    invalidAmount: "Informe o valor em reais, por exemplo 9,90.",
    atMost: (amount: string) => `É possível estornar no máximo ${amount}.`,
    done: (name: string) => `Concluído: ${name}.`,
    hasRefunded: (amount: string) => `${amount} estornados.`,
  },
});

const STATUS_AFTER = {
  expire: "expired",
  cancel: "cancelled",
  refund: "refunded",
  chargeback: "chargedback",
} as const;

interface Props {
  readonly transaction: SandboxTransaction;
  /** The move in question; the dialog is closed without one. */
  readonly move: QuestionedMove | undefined;
  onClose(): void;
  onDone(): void;
}

/** Asks before a move, with its amount and its consequence. */
export function ConfirmMove({ transaction, move, onClose, onDone }: Props) {
  return (
    <Dialog title={move ? texts.questions[move].title : ""} isOpen={move !== undefined} onClose={onClose}>
      {move && <Question transaction={transaction} move={move} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

interface QuestionProps extends Props {
  readonly move: QuestionedMove;
}

function Question({ transaction, move, onClose, onDone }: QuestionProps) {
  const { id, amount, paidAmount, refundedAmount } = transaction;
  const refundable = paidAmount - refundedAmount;
  const [text, setText] = useState(() => formatReais(refundable).replace(/^\D+/, ""));
  const action = useAction();
  const isRefund = move === "refund";
  const cents = isRefund ? parseReais(text) : undefined;
  const problem = isRefund ? problemWith(cents, refundable) : undefined;
  const { confirm } = texts.questions[move];

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (problem !== undefined) action.fail(problem);
    else submitMove();
  }

  function submitMove(): void {
    action.run(async () => {
      await call("POST", `transactions/${id}/${move}`, isRefund ? { amount: cents } : undefined);
      announce(cents === undefined ? texts.done(confirm) : texts.hasRefunded(formatReais(cents)));
      onClose();
      onDone();
    });
  }

  /** Cents that can still be refunded afterwards. */
  const rest = isRefund ? refundable - (cents ?? 0) : 0;
  return (
    <form class="question" noValidate autocomplete="off" onSubmit={submit}>
      <dl class="facts">
        <Fact name={texts.transaction}>{id}</Fact>
        <Fact name={texts.amount}>{formatReais(amount)}</Fact>
        {paidAmount > 0 && <Fact name={texts.paid}>{formatReais(paidAmount)}</Fact>}
        {refundedAmount > 0 && <Fact name={texts.refunded}>{formatReais(refundedAmount)}</Fact>}
      </dl>
      {isRefund && (
        <div>
          <label for="refund-amount">{texts.toRefund}</label>
          <input
            id="refund-amount"
            inputMode="decimal"
            autofocus
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
      )}
      <p aria-live="polite">
        {problem === undefined &&
          (rest > 0 ? texts.partly(formatReais(rest)) : texts.becomes(STATUS_AFTER[move]))}
        {problem === undefined && rest === 0 && transaction.postBackUrl !== undefined && ` ${texts.postback}`}
      </p>
      <Problem text={action.problem} />
      <div class="buttons">
        <button type="submit" class="danger" aria-disabled={action.isRunning}>
          {cents === undefined ? confirm : `${confirm} ${formatReais(cents)}`}
        </button>
        <button type="button" autofocus={!isRefund} onClick={onClose}>
          {texts.back}
        </button>
      </div>
    </form>
  );
}

function problemWith(cents: number | undefined, refundable: number): string | undefined {
  if (cents === undefined || cents === 0) return texts.invalidAmount;
  return cents > refundable ? texts.atMost(formatReais(refundable)) : undefined;
}

function Fact({ name, children }: { readonly name: string; readonly children: string | number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
