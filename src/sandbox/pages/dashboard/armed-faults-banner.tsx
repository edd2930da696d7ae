import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { choose } from "../shared/language.ts";
import { faultTexts } from "./fault-texts.ts";

const texts = choose({
  en: {
    name: "Armed faults",
    next: (times: number) => (times === 1 ? "The next call to" : `The next ${times} calls to`),
    fails: (times: number) => (times === 1 ? "fails:" : "fail:"),
    more: (count: number) => `and ${count} more`,
    show: "Show faults",
    remove: "Remove",
    removeAll: "Remove all",
    removed: "All faults were removed.",
  },
  pt: {
    name: "Falhas ativas",
    next: (times: number) => (times === 1 ? "A próxima chamada a" : `As próximas ${times} chamadas a`),
    fails: (times: number) => (times === 1 ? "falha:" : "falham:"),
    more: (count: number) => `e mais ${count}`,
    show: "Ver falhas",
    remove: "Remover",
    removeAll: "Remover todas",
    removed: "Todas as falhas foram removidas.",
  },
});

const SHOWN_MAX = 3;

/** Says at the top of the page which calls fail next, because a forgotten fault looks like a bug. */
export function ArmedFaultsBanner({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const action = useAction();
  const remove = () =>
    action.run(async () => {
      await call("DELETE", "faults");
      announce(texts.removed);
      showPanel(); // the button is removed with the banner
    });
  if (armed.length === 0) return null;

  return (
    <section class="armed-banner" aria-label={texts.name}>
      <ul>
        {armed.slice(0, SHOWN_MAX).map(({ id, on, kind, times }) => (
          <li key={id}>
            {texts.next(times)} <code>{on}</code> {texts.fails(times)} <code>{kind}</code>
            {armed.length === 1 && <span class="muted"> {faultTexts[kind]}</span>}
          </li>
        ))}
        {armed.length > SHOWN_MAX && <li>{texts.more(armed.length - SHOWN_MAX)}</li>}
      </ul>
      <div class="buttons">
        <button type="button" class="quiet" onClick={showPanel}>
          {texts.show}
        </button>
        <button type="button" class="quiet" aria-disabled={action.isRunning} onClick={remove}>
          {armed.length === 1 ? texts.remove : texts.removeAll}
        </button>
      </div>
      <Problem text={action.problem} />
    </section>
  );
}

/** Focuses the panel of the faults, and so scrolls to it. */
function showPanel(): void {
  document.getElementById("faults-heading")?.focus();
}
