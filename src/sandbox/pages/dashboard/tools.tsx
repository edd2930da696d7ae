import { useState } from "preact/hooks";
import type { FaultsView } from "../../control/views.ts";
import { FAULT_DESCRIPTIONS } from "../../faults/fault.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment } from "../shared/format.tsx";
import { NewPayment } from "./new-payment.tsx";
import { TestCards } from "./test-cards.tsx";

type Kinds = Pick<FaultsView, "kinds">;

export function Tools({ kinds }: Kinds) {
  return (
    <div class="tools">
      <NewPayment />
      <FaultForm kinds={kinds} />
      <ClockPanel />
      <TestCards />
    </div>
  );
}

function FaultForm({ kinds }: Kinds) {
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
    <form class="stack panel" onSubmit={arm}>
      <h2>Make the next call fail</h2>
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
        {chosen && FAULT_DESCRIPTIONS[chosen.kind]}
      </p>
      <label for="fault-times">Times</label>
      <input id="fault-times" name="times" type="number" min="1" step="1" required defaultValue="1" />
      <button type="submit" class="primary" aria-disabled={action.isRunning}>
        Arm
      </button>
      <Problem text={action.problem} />
    </form>
  );
}

const CLOCK_STEPS: readonly (readonly [label: string, milliseconds: number])[] = [
  ["5 seconds", 5_000],
  ["5 minutes", 300_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
];

/** Advances the gateway's clock, for example to let a pix expire. */
function ClockPanel() {
  const [now, setNow] = useState<string>();
  const action = useAction();
  const advance = (label: string, advanceMs: number) =>
    action.run(async () => {
      setNow((await call<{ readonly now: string }>("POST", "clock", { advanceMs })).now);
      announce(`Clock advanced by ${label}.`);
    });

  return (
    <section class="stack panel" aria-labelledby="clock-heading">
      <h2 id="clock-heading">Advance the clock</h2>
      <div class="inline">
        {CLOCK_STEPS.map(([label, milliseconds]) => (
          <button
            key={label}
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => advance(label, milliseconds)}
          >
            {label}
          </button>
        ))}
      </div>
      {now !== undefined && (
        <p class="muted">
          The clock was advanced to <Moment at={now} inWords />.
        </p>
      )}
      <Problem text={action.problem} />
    </section>
  );
}
