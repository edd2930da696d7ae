import { POSTBACK_DELIVERY } from "../../spec/limits.ts";

/** How postbacks are delivered. The specification shows none of it. Milliseconds are 2,147,483,647 at most. */
export interface PostbackOptions {
  /** Milliseconds between a change of status and its postback. Default 0. */
  readonly delayMs?: number;
  /** How often a postback is sent again that got no 2xx. Default 4. */
  readonly retries?: number;
  /** Milliseconds until the first retry; each further one waits twice as long. Default 1,000. */
  readonly backoffMs?: number;
  /** Milliseconds that a receiver has, by the machine's clock. Default 10,000. */
  readonly timeoutMs?: number;
  /** How many more times each postback is delivered than once. Default 0. */
  readonly duplicates?: number;
  /**
   * Whether a postback comes after the next one of its transaction: it is held back until there is one, for
   * 5 seconds at most. Default `false`.
   */
  readonly reorder?: boolean;
  /** Whether the status at creation is posted, too: nothing changed yet. Default `false`. */
  readonly onCreation?: boolean;
  /** What sends them. Default: `globalThis.fetch`, as it is when a postback is sent. */
  readonly fetch?: typeof globalThis.fetch;
}

/** {@link PostbackOptions} with every default in its place. */
export type PostbackSettings = Required<PostbackOptions>;

const DEFAULTS: PostbackSettings = {
  ...POSTBACK_DELIVERY,
  delayMs: 0,
  duplicates: 0,
  reorder: false,
  onCreation: false,
  fetch: (input, init) => globalThis.fetch(input, init),
};

/** How long a postback is held back for the sake of order, by the gateway's clock. */
export const HOLD_MS = 5_000;

/** @returns the settings, or what is wrong with the options. */
export function postbackSettings(options: PostbackOptions): PostbackSettings | string {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) return `postbacks.${name} is no option`;
    const problem = value === undefined ? undefined : problemWith(name as keyof PostbackSettings, value);
    if (problem) return `postbacks.${name} must be ${problem}`;
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

const MOST_COPIES = 100;

/** What a timer of the machine can count: beyond it, one fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

function problemWith(name: keyof PostbackSettings, value: unknown): string | undefined {
  switch (typeof DEFAULTS[name]) {
    case "number":
      return name === "retries" || name === "duplicates"
        ? problemWithNumber(value, "number", MOST_COPIES)
        : problemWithNumber(value, "number of milliseconds", LONGEST_MS);
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    default:
      return typeof value === "function" ? undefined : "a function";
  }
}

function problemWithNumber(value: unknown, unit: string, max: number): string | undefined {
  const isFine = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
  return isFine ? undefined : `a whole ${unit} from 0 to ${max}`;
}
