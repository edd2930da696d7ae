import { useEffect, useState } from "preact/hooks";
import { TEST_CARDS, type TestCard } from "../../cards/test-cards.ts";
import type { FaultsView, Overview } from "../../control/views.ts";
import type { SandboxStatus } from "../../transactions/sandbox-transaction.ts";
import { announce } from "../shared/accessibility.tsx";
import { Problem, useAction } from "../shared/action.tsx";
import { call } from "../shared/api.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Moment } from "../shared/format.tsx";
import { useFetched } from "../shared/live.ts";
import { statusNames, t, translateRefusedReason } from "../shared/texts.ts";
import { faultTexts } from "./fault-texts.ts";

type Kinds = Pick<FaultsView, "kinds">;

export function Tools({ kinds }: Kinds) {
  return (
    <div class="tools">
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
      announce(t(`Armed: ${chosen?.kind} on ${on}.`, `Falha ativada: ${chosen?.kind} em ${on}.`));
    });
  }

  return (
    <form class="stack panel" onSubmit={arm}>
      <h2>{t("Make the next call fail", "Fazer a próxima chamada falhar")}</h2>
      <label for="fault-on">Endpoint</label>
      <select id="fault-on" value={on} onChange={(event) => setOn(event.currentTarget.value)}>
        {endpoints.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <label for="fault-kind">{t("What happens", "O que acontece")}</label>
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
      <label for="fault-times">{t("Times", "Vezes")}</label>
      <input id="fault-times" name="times" type="number" min="1" step="1" required defaultValue="1" />
      <button type="submit" class="primary" aria-disabled={action.isRunning}>
        {t("Arm", "Ativar")}
      </button>
      <Problem text={action.problem} />
    </form>
  );
}

const CLOCK_STEPS: readonly (readonly [label: string, milliseconds: number])[] = [
  [t("5 seconds", "5 segundos"), 5_000],
  [t("5 minutes", "5 minutos"), 300_000],
  [t("1 hour", "1 hora"), 3_600_000],
  [t("1 day", "1 dia"), 86_400_000],
];

const CLOCK_EVERY_MS = 10_000;

/** Advances the gateway's clock, for example to let a pix expire. */
function ClockPanel() {
  const { value: overview, refresh } = useFetched<Overview>("overview", "clock");
  const action = useAction();
  useEffect(() => {
    const timer = setInterval(refresh, CLOCK_EVERY_MS); // the clock of the sandbox may stand still
    return () => clearInterval(timer);
  }, []);
  const advance = (label: string, advanceMs: number) =>
    action.run(async () => {
      await call("POST", "clock", { advanceMs });
      announce(t(`Clock advanced by ${label}.`, `Relógio avançado em ${label}.`));
    });

  return (
    <section class="stack panel" aria-labelledby="clock-heading">
      <h2 id="clock-heading">{t("Advance the clock", "Avançar o relógio")}</h2>
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
      {overview && (
        <p class="muted">
          {t("The time in the sandbox is", "O relógio do sandbox marca")} <Moment at={overview.now} inWords />
          .
        </p>
      )}
      <Problem text={action.problem} />
    </section>
  );
}

export function describeCard({ status, refusedReason, later }: TestCard): string {
  const reason = translateRefusedReason((later ?? { refusedReason }).refusedReason ?? "");
  const words = (outcome: SandboxStatus) =>
    outcome === "refused"
      ? `${statusNames.refused}: ${reason}`.replace(/^(\w+): \1/i, "$1") // "Refused: refused by"
      : statusNames[outcome];

  if (later) return `${words(status)} → ${words(later.status)} (${later.afterMs / 1_000} s)`;
  if (status === "approved" || status === "refused") return words(status);
  return t(`${words(status)} until you change it`, `${words(status)} até você mudar`);
}

export function formatCardNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

function TestCards() {
  return (
    <section class="stack panel" aria-labelledby="cards-heading">
      <h2 id="cards-heading">{t("Test cards", "Cartões de teste")}</h2>
      <p class="muted">
        {t(
          "The number decides what happens. Any other number is approved; any security code works.",
          "O número decide o que acontece. Qualquer outro número é aprovado; qualquer código de segurança serve.",
        )}
      </p>
      <ul class="stack lines">
        {TEST_CARDS.map((card) => {
          const number = formatCardNumber(card.number);
          return (
            <li key={number}>
              <strong>{describeCard(card)}</strong>
              <p class="inline spread">
                <code>{number}</code>
                <CopyButton
                  value={card.number}
                  what={t(`the card number ${number}`, `o número de cartão ${number}`)}
                />
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
