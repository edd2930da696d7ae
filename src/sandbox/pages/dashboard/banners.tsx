import { useEffect, useState } from "preact/hooks";
import type { ArmedFault } from "../../faults/fault.ts";
import { Problem } from "../shared/action.tsx";
import { translate, words } from "../shared/translate.ts";
import { faultMessages } from "./fault-messages.ts";
import { showFaultsPanel, useFaultRemoval } from "./faults-panel.tsx";

const messages = translate({
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
  down: ["The sandbox does not respond.", "O sandbox não responde."],
  start: ["Start it again with", "Inicie-o de novo com"],
});

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

/** Shorter interruptions are normal: a fault closes the port for a second. */
const OFFLINE_AFTER_MS = 2_000;

/** Warns that the dashboard is no longer up to date. */
export function OfflineBanner({ isConnected }: { readonly isConnected: boolean }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isConnected) return setShown(false);
    const timer = setTimeout(() => setShown(true), OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  return (
    <div role="alert">
      {isShown && (
        <p class="problem">
          <strong>{messages.down}</strong> {messages.start} <code>npx payments sandbox</code>.
        </p>
      )}
    </div>
  );
}
