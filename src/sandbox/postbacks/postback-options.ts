import { LONGEST_TIMER_MS } from "../clock.ts";
import { checkOption } from "../sandbox-company.ts";

/** How postbacks are delivered. The specification does not state it. Milliseconds are at most 2,147,483,647. */
export interface PostbackOptions {
  /** Milliseconds between a change of status and its postback. Default 0. */
  readonly delayMs?: number;
  /** Number of retries of a postback that gets no 2xx. Default 4. */
  readonly retries?: number;
  /** Milliseconds before the first retry, doubled for each further one. Default 1,000. */
  readonly backoffMs?: number;
  /** Timeout of an attempt in milliseconds, by the machine's clock. Default 10,000. */
  readonly timeoutMs?: number;
  /** Number of additional copies of each postback. Default 0. */
  readonly duplicates?: number;
  /**
   * Whether each postback is sent after the next one of its transaction. It is held until the next one is sent,
   * for at most 5 seconds. Default `false`.
   */
  readonly reorder?: boolean;
  /** Whether a postback is sent at creation, with the first status. Default `false`. */
  readonly onCreation?: boolean;
  /**
   * Whether a pix that expires is posted. Default `true`: the specification says "any status change", but names only
   * the payment.
   */
  readonly expired?: boolean;
  /**
   * Whether a status is posted only if its event name is in the company's `configuration.webhook.events`, such as
   * `transaction.approved`. Then `pending`, `processing` and `expired`, which have no event name, are never posted.
   * Default `false`: the specification does not state what the names mean for postbacks.
   */
  readonly onlyConfiguredEvents?: boolean;
  /**
   * Whether a partial refund is posted: the status of a full one, with the amount of the part. Default `false`: the status
   * of the transaction does not change.
   */
  readonly partialRefunds?: boolean;
  /** Sends the postbacks. Default: the `globalThis.fetch` at the time of sending. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** {@link PostbackOptions} with defaults applied. */
export type PostbackSettings = Required<PostbackOptions>;

const DEFAULTS: PostbackSettings = {
  delayMs: 0,
  retries: 4,
  backoffMs: 1_000,
  timeoutMs: 10_000,
  duplicates: 0,
  reorder: false,
  onCreation: false,
  expired: true,
  onlyConfiguredEvents: false,
  partialRefunds: false,
  fetch: (url, init) => globalThis.fetch(url, init),
};

/** How long `reorder` holds a postback back, by the gateway's clock. */
export const HOLD_MS = 5_000;

/** @throws {TypeError} when an option is unknown or has an invalid value. */
export function resolvePostbackOptions(options: PostbackOptions): PostbackSettings {
  for (const [name, value] of Object.entries(options)) {
    checkOption(Object.hasOwn(DEFAULTS, name), `postbacks.${name} is not an option`);
    const problem = value === undefined ? undefined : problemWith(name as keyof PostbackSettings, value);
    checkOption(problem === undefined, `postbacks.${name} must be ${problem}`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

function problemWith(name: keyof PostbackSettings, value: unknown): string | undefined {
  const type = typeof DEFAULTS[name];
  if (type === "boolean") return typeof value === "boolean" ? undefined : "true or false";
  if (type === "function") return typeof value === "function" ? undefined : "a function";
  const [unit, max] = name.endsWith("Ms") ? ["number of milliseconds", LONGEST_TIMER_MS] : ["number", 100];
  const isValid = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= Number(max);
  return isValid ? undefined : `a whole ${unit} from 0 to ${max}`;
}
