import type { ComponentChildren } from "preact";
import type { PostbackBody } from "../../postbacks/postback-delivery.ts";
import { statusNames } from "./texts.ts";

/** Formats cents as `R$ 1.234,56`, without float arithmetic. */
export function formatReais(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${cents < 0 ? "-" : ""}R$\u00a0${whole},${digits.slice(-2)}`;
}

/** Reads `1234,56`, `9.9` or `9` as cents. @throws {Error} with a message for the user. */
export function readReais(text: string): number {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (whole !== undefined) return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
  throw new Error("Enter the amount in reais, such as 9,90.");
}

const SHORT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const IN_WORDS = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  hourCycle: "h23",
});

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  /** As in a sentence: the date with the name of the month, the time without seconds. Default: false. */
  readonly inWords?: boolean;
}

/** A time in the local time zone, in 24 hours; the tooltip shows the ISO 8601 timestamp. */
export function Moment({ at, inWords = false }: MomentProps) {
  return (
    <time dateTime={at} title={at}>
      {(inWords ? IN_WORDS : SHORT).format(new Date(at))}
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

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A term of a list with its description. Shows nothing without a description. */
export function Fact({ name, children }: FactProps) {
  if (children === undefined || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
