import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment } from "../shared/format.tsx";

const STEPS = [
  { label: "5 seconds", ms: 5_000 },
  { label: "5 minutes", ms: 300_000 },
  { label: "1 hour", ms: 3_600_000 },
  { label: "1 day", ms: 86_400_000 },
] as const;

/** Whether the time in the sandbox differs from the time on this machine. */
function isDifferentTime(now: string): boolean {
  return Math.abs(Date.parse(now) - Date.now()) > 60_000;
}

/** Advances the gateway's clock, for example to let a pix expire. */
export function ClockPanel({ now }: { readonly now: string | undefined }) {
  const action = useAction();
  const advance = ({ label, ms }: (typeof STEPS)[number]) =>
    action.run(async () => {
      await call("POST", "clock", { advanceMs: ms });
      announce(`Clock advanced by ${label}.`);
    });

  return (
    <section class="panel" aria-labelledby="clock-heading">
      <h2 id="clock-heading">Advance the clock</h2>
      <div class="buttons">
        {STEPS.map((step) => (
          <button
            key={step.label}
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => advance(step)}
          >
            {step.label}
          </button>
        ))}
      </div>
      {now !== undefined && isDifferentTime(now) && (
        <p class="muted">
          The time in the sandbox is <Moment at={now} withDate />.
        </p>
      )}
      <Problem text={action.problem} />
    </section>
  );
}
