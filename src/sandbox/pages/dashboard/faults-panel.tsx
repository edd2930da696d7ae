import { useState } from "preact/hooks";
import type { FaultsView } from "../../control/views.ts";
import type { ArmedFault } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { translate, words } from "../shared/translate.ts";
import { faultMessages } from "./fault-messages.ts";

const messages = translate({
  title: ["Make the next call fail", "Fazer a próxima chamada falhar"],
  kind: ["What happens", "O que acontece"],
  times: ["Times", "Vezes"],
  arm: ["Arm", "Ativar"],
  armed: [
    (kind = "", on = "") => `Armed: ${kind} on ${on}.`,
    (kind = "", on = "") => `Falha ativada: ${kind} em ${on}.`,
  ],
  none: ["No fault is armed.", "Nenhuma falha ativa."],
  entry: [
    (on: string, times: number) => `on ${on}, ${times === 1 ? "once" : `${times} times`}`,
    (on: string, times: number) => `em ${on}, ${times === 1 ? "uma vez" : `${times} vezes`}`,
  ],
  removeOne: [
    (kind: string, on: string) => `Remove ${kind} on ${on}`,
    (kind: string, on: string) => `Remover ${kind} em ${on}`,
  ],
  removed: [
    (kind: string, on: string) => `Removed: ${kind} on ${on}.`,
    (kind: string, on: string) => `Removida: ${kind} em ${on}.`,
  ],
  removedAll: ["All faults were removed.", "Todas as falhas foram removidas."],
  next: [
    (times: number) => (times === 1 ? "The next call to" : `The next ${times} calls to`),
    (times: number) => (times === 1 ? "A próxima chamada a" : `As próximas ${times} chamadas a`),
  ],
  fails: [
    (times: number) => (times === 1 ? "fails:" : "fail:"),
    (times: number) => (times === 1 ? "falha:" : "falham:"),
  ],
  more: [(count: number) => `and ${count} more`, (count: number) => `e mais ${count}`],
  show: ["Show faults", "Ver falhas"],
});

export function FaultsPanel({ armed, kinds }: FaultsView) {
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
      announce(messages.armed(chosen?.kind, on));
    });
  }

  return (
    <section class="stack panel" aria-labelledby="faults-heading">
      <h2 id="faults-heading" tabIndex={-1}>
        {messages.title}
      </h2>
      <form class="stack" onSubmit={arm}>
        <label for="fault-on">Endpoint</label>
        <select id="fault-on" value={on} onChange={(event) => setOn(event.currentTarget.value)}>
          {endpoints.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label for="fault-kind">{messages.kind}</label>
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
          {chosen && faultMessages[chosen.kind]}
        </p>
        <div class="row">
          <label for="fault-times">{messages.times}</label>
          <input id="fault-times" name="times" type="number" min="1" step="1" required defaultValue="1" />
          <button type="submit" aria-disabled={action.isRunning}>
            {messages.arm}
          </button>
        </div>
      </form>
      <Problem text={action.problem} />
      <ArmedFaults armed={armed} />
    </section>
  );
}

/** Focuses the panel of the faults, and so scrolls to it. Opens the drawer that it may be in. */
function showFaultsPanel(): void {
  const tools = document.getElementById("tools");
  if (tools?.popover) tools.togglePopover(true);
  document.getElementById("faults-heading")?.focus();
}

function useFaultRemoval() {
  const action = useAction();
  const remove = (fault?: ArmedFault) =>
    action.run(async () => {
      await call("DELETE", fault ? `faults/${fault.id}` : "faults");
      announce(fault ? messages.removed(fault.kind, fault.on) : messages.removedAll);
      showFaultsPanel(); // the button is removed with its fault
    });
  return { ...action, remove };
}

function ArmedFaults({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const { problem, remove } = useFaultRemoval();
  if (armed.length === 0) return <p class="muted">{messages.none}</p>;
  return (
    <>
      <ul class="stack armed" aria-label={words.armedFaults}>
        {armed.map((fault) => (
          <li key={fault.id} class="inline spread">
            <span>
              <strong>{fault.kind}</strong> {messages.entry(fault.on, fault.times)}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={messages.removeOne(fault.kind, fault.on)}
              onClick={() => remove(fault)}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
      {armed.length > 1 && (
        <button type="button" class="quiet" onClick={() => remove()}>
          {words.removeAll}
        </button>
      )}
      <Problem text={problem} />
    </>
  );
}

const SHOWN_MAX = 3;

/** Shows which calls fail next, because a forgotten fault looks like a bug. */
export function ArmedFaultsBanner({ armed }: { readonly armed: readonly ArmedFault[] }) {
  const { isRunning, problem, remove } = useFaultRemoval();
  if (armed.length === 0) return null;

  return (
    <section class="inline spread note armed-banner" aria-label={words.armedFaults}>
      <ul>
        {armed.slice(0, SHOWN_MAX).map(({ id, on, kind, times }) => (
          <li key={id}>
            {messages.next(times)} <code>{on}</code> {messages.fails(times)} <code>{kind}</code>
            {armed.length === 1 && <span class="muted"> {faultMessages[kind]}</span>}
          </li>
        ))}
        {armed.length > SHOWN_MAX && <li>{messages.more(armed.length - SHOWN_MAX)}</li>}
      </ul>
      <div class="inline buttons">
        <button type="button" class="quiet" onClick={showFaultsPanel}>
          {messages.show}
        </button>
        <button type="button" class="quiet" aria-disabled={isRunning} onClick={() => remove()}>
          {armed.length === 1 ? words.remove : words.removeAll}
        </button>
      </div>
      <Problem text={problem} />
    </section>
  );
}
