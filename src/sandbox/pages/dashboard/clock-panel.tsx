import { announce } from "../shared/announcer.tsx";
import { call } from "../shared/api.ts";
import { Moment } from "../shared/moment.tsx";
import { Problem } from "../shared/problem.tsx";
import { useAction } from "../shared/use-action.ts";

const STEPS = [
  { label: "5 seconds", ms: 5_000 },
  { label: "5 minutes", ms: 300_000 },
  { label: "1 hour", ms: 3_600_000 },
  { label: "1 day", ms: 86_400_000 },
] as const;

/** Whether it is another time in the sandbox than on this machine. */
function isElsewhere(now: string): boolean {
  return Math.abs(Date.parse(now) - Date.now()) > 60_000;
}

/** Moves the gateway's time, so that nobody has to wait for an expiry. */
export function ClockPanel({ now }: { readonly now: string | undefined }) {
  const action = useAction();
  const advance = ({ label, ms }: (typeof STEPS)[number]) =>
    action.run(async () => {
      await call("POST", "clock", { advanceMs: ms });
      announce(`The clock went on by ${label}.`);
    });

  return (
    <section class="panel" aria-labelledby="clock-heading">
      <h2 id="clock-heading">Let time pass</h2>
      <div class="buttons">
        {STEPS.map((step) => (
          <button key={step.label} type="button" aria-disabled={action.busy} onClick={() => advance(step)}>
            {step.label}
          </button>
        ))}
      </div>
      {now !== undefined && isElsewhere(now) && (
        <p class="muted">
          The clock of the sandbox came to <Moment at={now} withDate />.
        </p>
      )}
      <Problem text={action.problem} />
    </section>
  );
}
