import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { t } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.tsx";

/** Shows which calls fail next, because a forgotten fault looks like a bug. */
export function FaultsBanner({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const action = useAction();
  const remove = (id: number) =>
    action.run(async () => {
      await call("DELETE", `faults/${id}`);
      announce(t("Removed.", "Removida."));
      document.querySelector("main")?.focus({ preventScroll: true }); // the button is removed with its fault
    });
  if (armed.length === 0) return null;

  return (
    <section class="stack note" aria-label={t("Armed faults", "Falhas ativas")}>
      {armed.map(({ id, on, kind, times }) => (
        <div key={id} class="inline spread">
          <span>
            {t("Next calls that fail:", "Próximas chamadas que falham:")} {times} × <code>{on}</code>,{" "}
            <strong>{kind}</strong>. <span class="muted">{faultTexts[kind]}</span>
          </span>
          <button
            type="button"
            class="quiet"
            aria-label={t(`Remove ${kind} on ${on}`, `Remover ${kind} em ${on}`)}
            onClick={() => remove(id)}
          >
            {t("Remove", "Remover")}
          </button>
        </div>
      ))}
      <Problem text={action.problem} />
    </section>
  );
}
