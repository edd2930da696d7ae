import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PostbackBody } from "../../postbacks/postback-delivery.ts";
import { language, statusNames } from "./translate.ts";

/** Formats cents as `R$ 1.234,56`, without float arithmetic. */
export function formatReais(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${cents < 0 ? "-" : ""}R$\u00a0${whole},${digits.slice(-2)}`;
}

/** Parses `1.234,56`, `1234.56`, `9,9` or `9` to cents; returns `undefined` for anything else. */
export function parseReais(text: string): number | undefined {
  const amount = text.replace(/^\s*(?:R\$)?\s*|\s+$/g, "");
  const hasSeparators = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(amount);
  const digits = hasSeparators ? amount.replaceAll(".", "") : amount;
  const [, whole, fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  return whole === undefined ? undefined : Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

const locale = language === "pt" ? "pt-BR" : "en-GB";
const hourCycle = "h23";
const DAY = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: language === "pt" ? "2-digit" : "short",
});
const TIME = new Intl.DateTimeFormat(locale, { timeStyle: "medium", hourCycle });
const IN_WORDS = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", hourCycle });

/** The time in the sandbox, ISO 8601; `undefined` for the time of this machine. */
export const SandboxNow = createContext<string | undefined>(undefined);

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  /** Default: only if the date is not today's in the sandbox. */
  readonly withDate?: boolean;
  /** As in a sentence: the date with the name of the month, the time without seconds. Default: false. */
  readonly inWords?: boolean;
}

/** A time in the local time zone, in 24 hours; the tooltip shows the ISO 8601 timestamp. */
export function Moment({ at, withDate, inWords = false }: MomentProps) {
  const date = new Date(at);
  const now = useContext(SandboxNow);
  const isToday = date.toDateString() === new Date(now ?? Date.now()).toDateString();
  const short = (withDate ?? !isToday) ? `${DAY.format(date)}, ${TIME.format(date)}` : TIME.format(date);
  return (
    <time dateTime={at} title={at}>
      {inWords ? IN_WORDS.format(date) : short}
    </time>
  );
}

/** A status as text; the colour carries no additional information. */
export function StatusBadge({ status }: { readonly status: PostbackBody["status"] }) {
  return (
    <span class={`badge ${status}`} title={status}>
      {statusNames[status]}
    </span>
  );
}

/** A text without spaces, such as a reference. If it does not fit, its middle is hidden; it is copied as a whole. */
export function OneLine({ text }: { readonly text: string }) {
  const characters = [...text];
  return (
    <bdi class="one-line" title={text}>
      <span>{characters.slice(0, -8).join("")}</span>
      {characters.slice(-8).join("")}
    </bdi>
  );
}

interface FactProps {
  readonly name: string;
  readonly isLong?: boolean;
  readonly children: ComponentChildren;
}

/** A term of a list with its description. Shows nothing without a description. */
export function Fact({ name, isLong = false, children }: FactProps) {
  if (children === undefined || children === false) return null;
  return (
    <div class={isLong ? "long" : ""}>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
