import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { Moment } from "../shared/format.tsx";
import { translate } from "../shared/translate.ts";

const messages = translate({
  title: ["Advance the clock", "Avançar o relógio"],
  steps: [
    ["5 seconds", "5 minutes", "1 hour", "1 day"],
    ["5 segundos", "5 minutos", "1 hora", "1 dia"],
  ],
  advanced: [
    (step: string) => `Clock advanced by ${step}.`,
    (step: string) => `Relógio avançado em ${step}.`,
  ],
  now: ["The time in the sandbox is", "O relógio do sandbox marca"],
});

/** Milliseconds of each of `messages.steps`. */
const STEPS = [5_000, 300_000, 3_600_000, 86_400_000];

/** Advances the gateway's clock, for example to let a pix expire. */
export function ClockPanel({ now }: { readonly now: string | undefined }) {
  const action = useAction();
  const advance = (label: string, advanceMs: number | undefined) =>
    action.run(async () => {
      await call("POST", "clock", { advanceMs });
      announce(messages.advanced(label));
    });

  return (
    <section class="stack panel" aria-labelledby="clock-heading">
      <h2 id="clock-heading">{messages.title}</h2>
      <div class="inline buttons">
        {messages.steps.map((label, index) => (
          <button
            key={label}
            type="button"
            aria-disabled={action.isRunning}
            onClick={() => advance(label, STEPS[index])}
          >
            {label}
          </button>
        ))}
      </div>
      {now !== undefined && Math.abs(Date.parse(now) - Date.now()) > 60_000 && (
        <p class="muted">
          {messages.now} <Moment at={now} inWords />.
        </p>
      )}
      <Problem text={action.problem} />
    </section>
  );
}
