import type { ArmedFault } from "../../faults/fault.ts";
import { FAULT_DESCRIPTIONS } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";

/** Shows which calls fail next, because a forgotten fault looks like a bug. */
export function FaultsBanner({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const action = useAction();
  const remove = (id: number) =>
    action.run(async () => {
      await call("DELETE", `faults/${id}`);
      announce("Removed.");
      document.querySelector("main")?.focus({ preventScroll: true }); // the button is removed with its fault
    });
  if (armed.length === 0) return null;

  return (
    <section class="stack note" aria-label="Armed faults">
      {armed.map(({ id, on, kind, times }) => (
        <div key={id} class="inline spread">
          <span>
            Next calls that fail: {times} × <code>{on}</code>, <strong>{kind}</strong>.{" "}
            <span class="muted">{FAULT_DESCRIPTIONS[kind]}</span>
          </span>
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${kind} on ${on}`}
            onClick={() => remove(id)}
          >
            Remove
          </button>
        </div>
      ))}
      <Problem text={action.problem} />
    </section>
  );
}
