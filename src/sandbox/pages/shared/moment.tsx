interface Props {
  /** ISO 8601. */
  readonly at: string;
  /** Default: only where it is not today's, as after the clock was moved. */
  readonly withDate?: boolean;
}

/** A time in the reader's own zone; the exact one on hover. */
export function Moment({ at, withDate }: Props) {
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
