import { useEffect, useRef, useState } from "preact/hooks";
import type { CheckoutView } from "../../control/views.ts";
import { announce } from "../shared/accessibility.tsx";
import { plural, t } from "../shared/texts.ts";

/** Seconds before the end that a screen reader announces. More would talk over everything else. */
const ANNOUNCED = [60, 10];

interface Props {
  readonly view: CheckoutView;
  readonly expiresAt: string;
  /** Loads the view again: its clock may have been advanced, or stand still. */
  onEnd(): void;
}

/** The time until a pix expires, by the gateway's clock. */
export function Countdown({ view, expiresAt, onEnd }: Props) {
  const endsAt = useRef(0); // by this machine's clock
  const [left, setLeft] = useState(() => Date.parse(expiresAt) - Date.parse(view.now));
  const seconds = Math.max(Math.ceil(left / 1_000), 0);
  const previous = useRef(seconds);

  useEffect(() => {
    const atLoading = Date.parse(expiresAt) - Date.parse(view.now);
    endsAt.current = Date.now() + atLoading;
    setLeft(atLoading);
  }, [view]);
  useEffect(() => {
    const update = () => (left > 0 ? setLeft(endsAt.current - Date.now()) : onEnd());
    const timer = setTimeout(update, left > 0 ? left % 1_000 || 1_000 : 1_000);
    return () => clearTimeout(timer);
  }, [left, view]);
  useEffect(() => {
    const isReached = ANNOUNCED.some((limit) => previous.current > limit && seconds <= limit);
    if (isReached && seconds > 0) {
      announce(t(`This pix expires in ${seconds} seconds.`, `Este Pix expira em ${seconds} segundos.`));
    }
    previous.current = seconds;
  }, [seconds]);

  return (
    <p class={seconds <= 60 ? "countdown is-ending" : "countdown muted"} role="timer">
      {t("Expires in", "Expira em")} <strong>{formatDuration(seconds)}</strong>
    </p>
  );
}

/** `04:59`, `23:59:59` or `1 day, 23:59:59`. */
function formatDuration(seconds: number): string {
  const pad = (count: number) => String(Math.floor(count)).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  const minutes = `${pad((seconds / 60) % 60)}:${pad(seconds % 60)}`;
  const time = days + hours > 0 ? `${pad(hours)}:${minutes}` : minutes;
  return days > 0 ? `${t(plural(days, "day", "days"), plural(days, "dia", "dias"))}, ${time}` : time;
}
