import { useState } from "preact/hooks";
import type { FaultsView } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { useFetched } from "../shared/use-fetched.ts";

/** Arms faults for the next calls, and lists them. */
export function FaultsPanel({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const kinds = useFetched<FaultsView>("faults", 0).value?.kinds ?? [];
  const [on, setOn] = useState("transactions.create");
  const [kind, setKind] = useState("charged_then_reset");
  const action = useAction();

  const endpoints = [...new Set(kinds.flatMap((entry) => entry.on))];
  const available = kinds.filter((entry) => entry.on.some((name) => name === on));
  const chosen = available.find((entry) => entry.kind === kind) ?? available[0];

  function arm(event: SubmitEvent): void {
    event.preventDefault();
    const times = Number(new FormData(event.currentTarget as HTMLFormElement).get("times"));
    action.run(async () => {
      await call("POST", "faults", { on, kind: chosen?.kind, times });
      announce(`Armed: ${chosen?.kind} on ${on}.`);
    });
  }

  return (
    <section class="panel" aria-labelledby="faults-heading">
      <h2 id="faults-heading" tabIndex={-1}>
        Make the next call fail
      </h2>
      <form onSubmit={arm}>
        <label for="fault-on">Endpoint</label>
        <select id="fault-on" value={on} onChange={(event) => setOn(event.currentTarget.value)}>
          {endpoints.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label for="fault-kind">What happens</label>
        <select
          id="fault-kind"
          value={chosen?.kind}
          aria-describedby="fault-description"
          onChange={(event) => setKind(event.currentTarget.value)}
        >
          {available.map((entry) => (
            <option key={entry.kind}>{entry.kind}</option>
          ))}
        </select>
        <p id="fault-description" class="muted">
          {chosen?.description}
        </p>
        <div class="row">
          <label for="fault-times">Times</label>
          <input id="fault-times" name="times" type="number" min="1" step="1" required defaultValue="1" />
          <button type="submit" aria-disabled={action.isRunning}>
            Arm
          </button>
        </div>
      </form>
      <Problem text={action.problem} />
      <ArmedFaults armed={armed} />
    </section>
  );
}

function ArmedFaults({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const action = useAction();
  const remove = (path: string, done: string) =>
    action.run(async () => {
      await call("DELETE", path);
      announce(done);
      document.getElementById("faults-heading")?.focus(); // the button is removed with its fault
    });
  if (armed.length === 0) return <p class="muted">No fault is armed.</p>;
  return (
    <>
      <ul class="armed" aria-label="Armed faults">
        {armed.map(({ id, kind, on, times }) => (
          <li key={id}>
            <span>
              <strong>{kind}</strong> on {on}, {times === 1 ? "once" : `${times} times`}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${kind} on ${on}`}
              onClick={() => remove(`faults/${id}`, `Removed: ${kind} on ${on}.`)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {armed.length > 1 && (
        <button type="button" class="quiet" onClick={() => remove("faults", "Removed all faults.")}>
          Remove all
        </button>
      )}
      <Problem text={action.problem} />
    </>
  );
}
