import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { t } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.ts";

/** Shows which calls fail next, because a forgotten fault looks like a bug. */
export function FaultsBanner({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const action = useAction();
  const remove = (path: string) =>
    action.run(async () => {
      await call("DELETE", path);
      announce(t("Removed.", "Removida."));
      document.querySelector("main")?.focus({ preventScroll: true }); // the button is removed with its fault
    });
  if (armed.length === 0) return null;

  return (
    <section class="stack note" aria-label={t("Armed faults", "Falhas ativas")}>
      <ul class="stack">
        {armed.map(({ id, on, kind, times }) => (
          <li key={id} class="inline spread">
            <span>
              {describeCalls(times)} <code>{on}</code>: <strong>{kind}</strong>.{" "}
              <span class="muted">{faultTexts[kind]}</span>
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={t(`Remove ${kind} on ${on}`, `Remover ${kind} em ${on}`)}
              onClick={() => remove(`faults/${id}`)}
            >
              {t("Remove", "Remover")}
            </button>
          </li>
        ))}
      </ul>
      {armed.length > 1 && (
        <button type="button" class="quiet" onClick={() => remove("faults")}>
          {t("Remove all", "Remover todas")}
        </button>
      )}
      <Problem text={action.problem} />
    </section>
  );
}

function describeCalls(times: number): string {
  return times === 1
    ? t("Fails at the next call to", "Falha na próxima chamada a")
    : t(`Fails at the next ${times} calls to`, `Falha nas próximas ${times} chamadas a`);
}
