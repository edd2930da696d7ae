import { FAULT_DESCRIPTIONS } from "../../faults/fault.ts";
import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/postback-delivery.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment, StatusBadge } from "../shared/format.tsx";

const states: Readonly<Record<PostbackDelivery["status"], string>> = {
  scheduled: "Scheduled",
  delivered: "Delivered",
  failed: "Failed, not sent again automatically",
};

/** @param deliveries newest first. */
export function Postbacks({ deliveries }: { readonly deliveries: readonly PostbackDelivery[] }) {
  const action = useAction();
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(`Postback ${id} sent again.`);
    });
  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">Postbacks</h3>
      {deliveries.length === 0 && (
        <p class="muted">None. A postback is sent to the postback URL when the status changes.</p>
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
        <button type="button" class="quiet" aria-label={`Send again: postback ${id}`} onClick={onResend}>
          Send again
        </button>
      </div>
      <p class="muted code">POST {url}</p>
      <pre>{JSON.stringify(body, null, 2)}</pre>
      {attempts.map((attempt, index) => (
        <Attempt key={index} attempt={attempt} />
      ))}
      {nextAttemptAt !== undefined && (
        <p class="small">
          Next attempt at <Moment at={nextAttemptAt} />
        </p>
      )}
    </li>
  );
}

function Attempt({ attempt: { at, status, body, error, fault } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <div class="attempt">
      <Moment at={at} /> <strong>{status ?? "no response"}</strong>{" "}
      {error ?? (fault && FAULT_DESCRIPTIONS[fault])}
      {body !== undefined && body !== "" && <pre>{body}</pre>}
    </div>
  );
}
