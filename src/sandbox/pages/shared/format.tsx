import type { SandboxStatus } from "../../transactions/transaction.ts";

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

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  /** Default: only if the date is not today's. */
  readonly withDate?: boolean;
}

/** A time in the local time zone; the tooltip shows the ISO 8601 timestamp. */
export function Moment({ at, withDate }: MomentProps) {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const day = date.toLocaleDateString([], { year: "numeric", month: "short", day: "numeric" });
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={at}>
      {(withDate ?? !isToday) ? `${day}, ${time}` : time}
    </time>
  );
}

/** A status as text; the colour carries no additional information. */
export function StatusBadge({ status }: { readonly status: SandboxStatus }) {
  return <span class={`badge ${status}`}>{status}</span>;
}
