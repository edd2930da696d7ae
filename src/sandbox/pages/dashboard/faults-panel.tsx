import { useState } from "preact/hooks";
import type { FaultsView } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { choose } from "../shared/language.ts";
import { useFetched } from "../shared/use-fetched.ts";
import { faultTexts } from "./fault-texts.ts";

const texts = choose({
  en: {
    title: "Make the next call fail",
    endpoint: "Endpoint",
    kind: "What happens",
    times: "Times",
    arm: "Arm",
    armed: (kind = "", on = "") => `Armed: ${kind} on ${on}.`,
    none: "No fault is armed.",
    list: "Armed faults",
    entry: (on: string, times: number) => `on ${on}, ${times === 1 ? "once" : `${times} times`}`,
    remove: "Remove",
    removeOne: (kind: string, on: string) => `Remove ${kind} on ${on}`,
    removed: (kind: string, on: string) => `Removed: ${kind} on ${on}.`,
    removeAll: "Remove all",
    removedAll: "All faults were removed.",
  },
  pt: {
    title: "Fazer a próxima chamada falhar",
    endpoint: "Endpoint",
    kind: "O que acontece",
    times: "Vezes",
    arm: "Ativar",
    armed: (kind = "", on = "") => `Falha ativada: ${kind} em ${on}.`,
    none: "Nenhuma falha ativa.",
    list: "Falhas ativas",
    entry: (on: string, times: number) => `em ${on}, ${times === 1 ? "uma vez" : `${times} vezes`}`,
    remove: "Remover",
    removeOne: (kind: string, on: string) => `Remover ${kind} em ${on}`,
    removed: (kind: string, on: string) => `Removida: ${kind} em ${on}.`,
    removeAll: "Remover todas",
    removedAll: "Todas as falhas foram removidas.",
  },
});

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
      announce(texts.armed(chosen?.kind, on));
    });
  }

  return (
    <section class="panel" aria-labelledby="faults-heading">
      <h2 id="faults-heading" tabIndex={-1}>
        {texts.title}
      </h2>
      <form onSubmit={arm}>
        <label for="fault-on">{texts.endpoint}</label>
        <select id="fault-on" value={on} onChange={(event) => setOn(event.currentTarget.value)}>
          {endpoints.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label for="fault-kind">{texts.kind}</label>
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
          {chosen && faultTexts[chosen.kind]}
        </p>
        <div class="row">
          <label for="fault-times">{texts.times}</label>
          <input id="fault-times" name="times" type="number" min="1" step="1" required defaultValue="1" />
          <button type="submit" aria-disabled={action.isRunning}>
            {texts.arm}
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
  if (armed.length === 0) return <p class="muted">{texts.none}</p>;
  return (
    <>
      <ul class="armed" aria-label={texts.list}>
        {armed.map(({ id, kind, on, times }) => (
          <li key={id}>
            <span>
              <strong>{kind}</strong> {texts.entry(on, times)}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={texts.removeOne(kind, on)}
              onClick={() => remove(`faults/${id}`, texts.removed(kind, on))}
            >
              {texts.remove}
            </button>
          </li>
        ))}
      </ul>
      {armed.length > 1 && (
        <button type="button" class="quiet" onClick={() => remove("faults", texts.removedAll)}>
          {texts.removeAll}
        </button>
      )}
      <Problem text={action.problem} />
    </>
  );
}
