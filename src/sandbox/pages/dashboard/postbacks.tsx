import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/postback-delivery.ts";
import type { SandboxTransaction } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment, StatusBadge } from "../shared/format.tsx";
import { plural, t, words } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.ts";

const states: Readonly<Record<PostbackDelivery["status"], string>> = {
  scheduled: t("Scheduled", "Agendado"),
  delivered: t("Delivered", "Entregue"),
  failed: t("Failed, not sent again automatically", "Falhou, não será reenviado automaticamente"),
};

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
      announce(t("Postback sent.", "Postback enviado."));
    });
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(t(`Postback ${id} sent again.`, `Postback ${id} reenviado.`));
    });

  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">Postbacks</h3>
      {transaction.postBackUrl === undefined ? (
        <p class="muted">
          {t("This transaction has no postback URL.", "Esta transação não tem URL de postback.")}
        </p>
      ) : (
        <button type="button" aria-disabled={action.isRunning} onClick={send}>
          {t("Send the current status", "Enviar o status atual")}
        </button>
      )}
      <Problem text={action.problem} />
      {transaction.postBackUrl !== undefined && deliveries.length === 0 && (
        <p class="muted">
          {t(
            "None yet: a postback is sent when the status changes.",
            "Nenhum ainda: um postback é enviado quando o status muda.",
          )}
        </p>
      )}
      {deliveries.length > 0 && (
        <ol class="stack lines deliveries">
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
        <button
          type="button"
          class="quiet"
          aria-label={t(`Send again: postback ${id}`, `Reenviar: postback ${id}`)}
          onClick={onResend}
        >
          {t("Send again", "Reenviar")}
        </button>
      </div>
      <p class="small">
        <span class={`badge delivery-${status}`} title={status}>
          {states[status]}
        </span>{" "}
        {t(
          plural(attempts.length, "attempt", "attempts"),
          plural(attempts.length, "tentativa", "tentativas"),
        )}
        {nextAttemptAt !== undefined && (
          <>
            , {t("next at", "próxima às")} <Moment at={nextAttemptAt} />
          </>
        )}
      </p>
      <p class="muted code">POST {url}</p>
      <pre>{JSON.stringify(body, null, 2)}</pre>
      <ol class="stack attempts">
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
      <Moment at={at} /> <strong>{status ?? words.noResponse}</strong> {error ?? (fault && faultTexts[fault])}
      {body !== undefined && body !== "" && <pre>{body}</pre>}
    </li>
  );
}
