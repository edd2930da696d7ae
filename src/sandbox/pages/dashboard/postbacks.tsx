import type { DeliveryAttempt, PostbackDelivery } from "../../postbacks/delivery.ts";
import type { SandboxTransaction } from "../../transactions/transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment } from "../shared/format.tsx";

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
      announce("Postback sent.");
    });
  const resend = (id: number) =>
    action.run(async () => {
      await call("POST", `deliveries/${id}/resend`);
      announce(`Postback ${id} sent again.`);
    });

  return (
    <section aria-labelledby="postbacks-heading">
      <h3 id="postbacks-heading">Postbacks</h3>
      {transaction.postBackUrl === undefined ? (
        <p class="muted">This transaction has no postback URL.</p>
      ) : (
        <button type="button" aria-disabled={action.isRunning} onClick={send}>
          Send the current status
        </button>
      )}
      <Problem text={action.problem} />
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
  return (
    <li>
      <div class="delivery-head">
        <span>
          <strong>Postback {id}</strong> <span class={`badge delivery-${status}`}>{status}</span>
        </span>
        <button type="button" class="quiet" aria-label={`Send again: postback ${id}`} onClick={onResend}>
          Send again
        </button>
      </div>
      <p class="url">POST {url}</p>
      <pre>
        <code>{JSON.stringify(body, null, 2)}</code>
      </pre>
      <ol class="attempts" aria-label={`Attempts of postback ${id}`}>
        {attempts.map((attempt, index) => (
          <Attempt key={index} attempt={attempt} />
        ))}
      </ol>
      {nextAttemptAt !== undefined && (
        <p class="muted">
          Next attempt at <Moment at={nextAttemptAt} />
        </p>
      )}
    </li>
  );
}

function Attempt({ attempt: { at, status, body, error } }: { readonly attempt: DeliveryAttempt }) {
  return (
    <li>
      <Moment at={at} /> <strong>{status ?? "no response"}</strong> {error}
      {body !== undefined && body !== "" && (
        <pre>
          <code>{body}</code>
        </pre>
      )}
    </li>
  );
}
