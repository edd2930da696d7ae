import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment, StatusBadge } from "../shared/format.tsx";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: {
    title: "Postbacks",
    noUrl: "This transaction has no postback URL.",
    none: "None yet: a postback is sent when the status changes.",
    send: "Send the current status",
    sent: "Postback sent.",
    resend: "Send again",
    resendOne: (id: number) => `Send again: postback ${id}`,
    resent: (id: number) => `Postback ${id} sent again.`,
    postback: (id: number) => `Postback ${id}`,
    attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
    attemptsOf: (id: number) => `Attempts of postback ${id}`,
    next: "next at",
    noResponse: "no response",
    states: {
      scheduled: "waiting for a 2xx response",
      delivered: "delivered",
      failed: "no 2xx response; not sent again automatically",
    },
  },
  pt: {
    title: "Postbacks",
    noUrl: "Esta transação não tem URL de postback.",
    none: "Nenhum ainda: um postback é enviado quando o status muda.",
    send: "Enviar o status atual",
    sent: "Postback enviado.",
    resend: "Reenviar",
    resendOne: (id: number) => `Reenviar: postback ${id}`,
    resent: (id: number) => `Postback ${id} reenviado.`,
    postback: (id: number) => `Postback ${id}`,
    attempts: (count: number) => (count === 1 ? "1 tentativa" : `${count} tentativas`),
    attemptsOf: (id: number) => `Tentativas do postback ${id}`,
    next: "próxima às",
    noResponse: "sem resposta",
    states: {
      scheduled: "aguardando uma resposta 2xx",
      delivered: "entregue",
      failed: "sem resposta 2xx; não será reenviado automaticamente",
    },
  },
});

interface Props {
  readonly transaction: SandboxTransaction;
  /** Newest first. */
  readonly deliveries: readonly PostbackDelivery[];
  onChanged(): void;
}

/** The postbacks of a transaction, and the responses of the receiver. */
export function Postbacks({ transaction, deliveries, onChanged }: Props) {
  const action = useAction();
  const send = () =>
    action.run(async () => {
      await call("POST", `transactions/${transaction.id}/postback`);
      onChanged();
      announce(texts.sent);
    });
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(texts.resent(id));
    });

  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">{texts.title}</h3>
      {transaction.postBackUrl === undefined ? (
        <p class="muted">{texts.noUrl}</p>
      ) : (
        <button type="button" aria-disabled={action.isRunning} onClick={send}>
          {texts.send}
        </button>
      )}
      <Problem text={action.problem} />
      {transaction.postBackUrl !== undefined && deliveries.length === 0 && <p class="muted">{texts.none}</p>}
      {deliveries.length > 0 && (
        <ol class="deliveries">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} onResend={() => resend(delivery.id)} />
          ))}
        </ol>
      )}
    </section>
  );
}

interface DeliveryProps {
  readonly delivery: PostbackDelivery;
  onResend(): void;
}

function Delivery({ delivery, onResend }: DeliveryProps) {
  const { id, status, url, body, attempts, nextAttemptAt } = delivery;
  const summary = [texts.attempts(attempts.length), texts.states[status]].join(", ");
  return (
    <li>
      <div class="delivery-head">
        <span>
          <strong>{texts.postback(id)}</strong> <StatusBadge status={body.status} />
        </span>
        <button type="button" class="quiet" aria-label={texts.resendOne(id)} onClick={onResend}>
          {texts.resend}
        </button>
      </div>
      <p class="delivery-state">
        <span class={`badge delivery-${status}`}>{status}</span> {summary}
        {nextAttemptAt !== undefined && (
          <>
            , {texts.next} <Moment at={nextAttemptAt} />
          </>
        )}
      </p>
      <p class="url">POST {url}</p>
      <pre>
        <code>{JSON.stringify(body, null, 2)}</code>
      </pre>
      <ol class="attempts" aria-label={texts.attemptsOf(id)}>
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
      </ol>
    </li>
  );
}

function Attempt({ attempt: { at, status, body, error } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <li>
      <Moment at={at} /> <strong>{status ?? texts.noResponse}</strong> {error}
      {body !== undefined && body !== "" && (
        <pre>
          <code>{body}</code>
        </pre>
      )}
    </li>
  );
}
