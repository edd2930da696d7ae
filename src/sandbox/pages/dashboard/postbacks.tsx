import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment, StatusBadge } from "../shared/format.tsx";
import { plural, translate, words } from "../shared/translate.ts";
import { faultMessages } from "./fault-messages.ts";

const messages = translate({
  noUrl: ["This transaction has no postback URL.", "Esta transação não tem URL de postback."],
  none: [
    "None yet: a postback is sent when the status changes.",
    "Nenhum ainda: um postback é enviado quando o status muda.",
  ],
  send: ["Send the current status", "Enviar o status atual"],
  sent: ["Postback sent.", "Postback enviado."],
  resend: ["Send again", "Reenviar"],
  resendOne: [(id: number) => `Send again: postback ${id}`, (id: number) => `Reenviar: postback ${id}`],
  resent: [(id: number) => `Postback ${id} sent again.`, (id: number) => `Postback ${id} reenviado.`],
  attempts: [plural("attempt", "attempts"), plural("tentativa", "tentativas")],
  attemptsOf: [(id: number) => `Attempts of postback ${id}`, (id: number) => `Tentativas do postback ${id}`],
  next: ["next at", "próxima às"],
  final: [", not sent again automatically", ", não será reenviado automaticamente"],
});

const states = translate<Record<PostbackDelivery["status"], string>>({
  scheduled: ["Scheduled", "Agendado"],
  delivered: ["Delivered", "Entregue"],
  failed: ["Failed", "Falhou"],
});

interface Props {
  readonly transaction: SandboxTransaction;
  /** Newest first. */
  readonly deliveries: readonly PostbackDelivery[];
  onChanged(): void;
}

export function Postbacks({ transaction, deliveries, onChanged }: Props) {
  const action = useAction();
  const send = () =>
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/postback`);
      onChanged();
      announce(messages.sent);
    });
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(messages.resent(id));
    });

  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">Postbacks</h3>
      {transaction.postBackUrl === undefined ? (
        <p class="muted">{messages.noUrl}</p>
      ) : (
        <button type="button" aria-disabled={action.isRunning} onClick={send}>
          {messages.send}
        </button>
      )}
      <Problem text={action.problem} />
      {transaction.postBackUrl !== undefined && deliveries.length === 0 && (
        <p class="muted">{messages.none}</p>
      )}
      {deliveries.length > 0 && (
        <ol class="stack deliveries">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} onResend={() => resend(delivery.id)} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Delivery({ delivery, onResend }: { readonly delivery: PostbackDelivery; onResend(): void }) {
  const { id, status, url, body, attempts, nextAttemptAt } = delivery;
  return (
    <li class="stack">
      <div class="inline spread">
        <span>
          <strong>Postback {id}</strong> <StatusBadge status={body.status} />
        </span>
        <button type="button" class="quiet" aria-label={messages.resendOne(id)} onClick={onResend}>
          {messages.resend}
        </button>
      </div>
      <p class="small">
        <span class={`badge delivery-${status}`} title={status}>
          {states[status]}
        </span>{" "}
        {messages.attempts(attempts.length)}
        {status === "failed" && messages.final}
        {nextAttemptAt !== undefined && (
          <>
            , {messages.next} <Moment at={nextAttemptAt} />
          </>
        )}
      </p>
      <p class="muted code">POST {url}</p>
      <pre>{JSON.stringify(body, null, 2)}</pre>
      <ol class="stack attempts" aria-label={messages.attemptsOf(id)}>
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
      </ol>
    </li>
  );
}

function Attempt({ attempt: { at, status, body, error, fault } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <li>
      <Moment at={at} /> <strong>{status ?? words.noResponse}</strong>{" "}
      {error ?? (fault && faultMessages[fault])}
      {body !== undefined && body !== "" && <pre>{body}</pre>}
    </li>
  );
}
