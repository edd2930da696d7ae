import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/postback-delivery.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment, StatusBadge } from "../shared/format.tsx";
import { t, words } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.tsx";

const states: Readonly<Record<PostbackDelivery["status"], string>> = {
  scheduled: t("Scheduled", "Agendado"),
  delivered: t("Delivered", "Entregue"),
  failed: t("Failed, not sent again automatically", "Falhou, não será reenviado automaticamente"),
};

/** @param deliveries newest first. */
export function Postbacks({ deliveries }: { readonly deliveries: readonly PostbackDelivery[] }) {
  const action = useAction();
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(t(`Postback ${id} sent again.`, `Postback ${id} reenviado.`));
    });
  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">Postbacks</h3>
      {deliveries.length === 0 && (
        <p class="muted">
          {t(
            "None. A postback is sent to the postback URL when the status changes.",
            "Nenhum. Um postback é enviado à URL de postback quando o status muda.",
          )}
        </p>
      )}
      <Problem text={action.problem} />
      <ol class="stack deliveries">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} onResend={() => resend(delivery.id)} />
        ))}
      </ol>
    </section>
  );
}

function Delivery({ delivery, onResend }: { readonly delivery: PostbackDelivery; onResend(): void }) {
  const { id, status, url, body, attempts, nextAttemptAt } = delivery;
  return (
    <li class="stack">
      <div class="inline spread">
        <span>
          <strong>Postback {id}</strong> <StatusBadge status={body.status} />{" "}
          <span class={`badge delivery-${status}`}>{states[status]}</span>
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
      <p class="muted code">POST {url}</p>
      <pre>{JSON.stringify(body, null, 2)}</pre>
      {attempts.map((attempt, index) => (
        <Attempt key={index} attempt={attempt} />
      ))}
      {nextAttemptAt !== undefined && (
        <p class="small">
          {t("Next attempt at", "Próxima tentativa às")} <Moment at={nextAttemptAt} />
        </p>
      )}
    </li>
  );
}

function Attempt({ attempt: { at, status, body, error, fault } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <div class="attempt">
      <Moment at={at} /> <strong>{status ?? words.noResponse}</strong> {error ?? (fault && faultTexts[fault])}
      {body !== undefined && body !== "" && <pre>{body}</pre>}
    </div>
  );
}
