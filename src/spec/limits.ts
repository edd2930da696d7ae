/**
 * Every limit of the service, once; below them, the limits that are ours because the specification
 * shows none.
 *
 * Spec: "Limits".
 */

/** Milliseconds that a card token is good for. Spec: "Card token". */
export const CARD_TOKEN_LIFETIME_MS = 5 * 60_000;

/** Days until a pix expires. Spec: "POST /api/v1/transactions", `pix.expiresInDays`. */
export const PIX_EXPIRY_DAYS = { default: 1, max: 30 } as const;

/** Requests that one IP may make to the status endpoint. Spec: "Limits". */
export const STATUS_RATE_LIMIT = { perMinute: 60, perHour: 300 } as const;

/** Sellers on one page; `page` and `limit` are announced but unavailable. Spec: "GET /sellers". */
export const SELLERS_PER_PAGE = 100;

/** Ours: bytes (UTF-8) of `metadata` once it is a JSON string. The specification shows no length. */
export const METADATA_MAX_BYTES = 64_000;

/** Ours: bytes of an answer that the SDK reads before it gives up on it. */
export const ANSWER_MAX_BYTES = 5_000_000;

/** Ours: characters of an answer that an error keeps. */
export const ERROR_BODY_MAX_CHARS = 65_536;

/** Ours: how far a clock may be off before a token's own expiry is believed, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** Ours: the longest `Retry-After` that a read waits for by itself, in milliseconds. */
export const RETRY_AFTER_MAX_MS = 60_000;

/** Ours: lengths of a card number, from ISO/IEC 7812-1; the specification says "card number" only. */
export const CARD_NUMBER_DIGITS = { min: 12, max: 19 } as const;

/**
 * How the sandbox delivers postbacks: milliseconds that a receiver has, how often it sends one again that
 * got no 2xx, and milliseconds until the first retry, doubled for each further one. Ours: "retry behaviour,
 * time-outs: not shown". Spec: "Events".
 */
export const POSTBACK_DELIVERY = { timeoutMs: 10_000, retries: 4, backoffMs: 1_000 } as const;

/** Ours: days that a signed postback URL is good for. Refunds and chargebacks come late. */
export const POSTBACK_URL_LIFETIME_DAYS = { pix: 180, credit_card: 730 } as const;

/** Ours: bytes of a key that signs postback URLs, as HS256 asks for. RFC 7518, section 3.2. */
export const SIGNING_KEY_MIN_BYTES = 32;

/**
 * Ours: characters of a postback URL that many services keep, and those that a request line surely holds. The
 * specification shows no length.
 */
export const POSTBACK_URL_CHARACTERS = { common: 255, max: 2_048 } as const;

/** Ours: bytes of a postback that a receiver reads; the body of the specification has about 150. */
export const POSTBACK_MAX_BYTES = 65_536;

/** Ours: milliseconds that a sender has for the body of a postback. */
export const POSTBACK_TIMEOUT_MS = 10_000;

/**
 * Ours: milliseconds for which a postback is claimed without a renewal. Longer than most failovers of a database, so that
 * the claim of a living process outlasts one.
 */
export const POSTBACK_LEASE_MS = 60_000;

/**
 * Ours: milliseconds in which the owner of a postback's lease that seems to have ended may still renew it. The store may
 * have been away for that long, or its clock was set forward.
 */
export const POSTBACK_TAKEOVER_MS = 5_000;

/** Ours: milliseconds after which a lease of a postback is renewed, if a third of it does not end sooner. */
export const POSTBACK_RENEWAL_MS = 2_000;

/** Ours: milliseconds that the store has to answer a postback handler. */
export const POSTBACK_STORE_TIMEOUT_MS = 10_000;

/** Ours: milliseconds after which a handler warns that `onPostback` is still running. */
export const POSTBACK_SLOW_MS = 30_000;

/** Ours: postbacks of one order that a handler takes at once: those that run and those that wait. */
export const POSTBACKS_AT_ONCE_OF_AN_ORDER = 100;

/** Ours: the longest `Retry-After` of a handler, in seconds. */
export const POSTBACK_RETRY_AFTER_MAX = 10;

/** Ours: handled postbacks that a store in memory remembers, and those of them that may be of one order. */
export const MEMORY_STORE_POSTBACKS = 20_000;
export const MEMORY_STORE_POSTBACKS_OF_AN_ORDER = 1_000;

/** Ours: characters of the texts in a postback. A status of the specification has 11, a timestamp 24. */
export const POSTBACK_TEXT_MAX = { status: 255, externalRef: 1_000, transactionDate: 255 } as const;

/**
 * Ours: handled postbacks of one transaction that a store on disk or on a server remembers. Those that decide what a
 * later one means are never forgotten.
 */
export const POSTBACKS_OF_A_TRANSACTION = 1_000;

/** Ours: days for which a store remembers what has ended. Chargebacks come late. */
export const RETENTION_DAYS = 400;

/** Ours: characters of a store's namespace. */
export const NAMESPACE_MAX = 255;

/** Ours: orders that a store in memory remembers. */
export const MEMORY_STORE_ORDERS = 20_000;

/** Ours: milliseconds that a create's claim outlives the timeout of its call. */
export const CREATE_LEASE_MARGIN_MS = 30_000;

/** Ours: a lease that seems to last longer, in milliseconds, was taken by a clock that was wrong. */
export const LEASE_AT_MOST_MS = 24 * 60 * 60_000;

/** Ours: transactions of one reference that are remembered besides the one that its record is about. */
export const OTHER_TRANSACTIONS = 100;

/** Ours: how often a change of a record is tried that the database refuses without showing why. */
export const CHANGE_TRIES = 10;

/** Ours: milliseconds for which a change of a record is tried while other processes are faster. */
export const CHANGE_AT_MOST_MS = 10_000;

/** Ours: milliseconds that an operation without a signal waits while another process has locked a SQLite file. */
export const SQLITE_LOCK_AT_MOST_MS = 10_000;

/** Ours: milliseconds for which opening a SQLite file blocks the process at most, while another one has locked it. */
export const SQLITE_OPEN_AT_MOST_MS = 2_000;
