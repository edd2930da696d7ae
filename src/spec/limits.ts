/**
 * Every limit of the service. Limits marked "SDK limit" are not in the specification.
 *
 * Spec: "Limits".
 */

/** Lifetime of a card token, in milliseconds. Spec: "Card token". */
export const CARD_TOKEN_LIFETIME_MS = 5 * 60_000;

/** Days until a pix expires. Spec: "POST /api/v1/transactions", `pix.expiresInDays`. */
export const PIX_EXPIRY_DAYS = { default: 1, max: 30 } as const;

/** Requests that one IP address may send to the status endpoint. Spec: "Limits". */
export const STATUS_RATE_LIMIT = { perMinute: 60, perHour: 300 } as const;

/** Sellers on one page. `page` and `limit` are announced but not available. Spec: "GET /sellers". */
export const SELLERS_PER_PAGE = 100;

/** SDK limit: maximum UTF-8 bytes of `metadata` as a JSON string. */
export const METADATA_MAX_BYTES = 64_000;

/** SDK limit: maximum bytes of a response body. A longer one is not read to its end. */
export const RESPONSE_MAX_BYTES = 5_000_000;

/** SDK limit: maximum characters of the path of a call to an endpoint that the SDK does not know. */
export const REQUEST_PATH_MAX = 2_048;

/** SDK limit: maximum characters of a response body that an error keeps. */
export const ERROR_BODY_MAX_CHARS = 65_536;

/** SDK limit: tolerated clock difference before a token counts as expired, in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** SDK limit: the longest `Retry-After` for which a read waits before it is retried, in milliseconds. */
export const RETRY_AFTER_MAX_MS = 60_000;

/**
 * SDK limit: milliseconds that a read waits after the first 429 without `Retry-After`. Each further wait is twice as
 * long, up to {@link RETRY_AFTER_MAX_MS}. The stated limits count requests per minute and per hour, so a retry within a
 * second or two gets another 429; after two waits most of a minute is over, and the first fits in the default timeout.
 */
export const RATE_LIMIT_DELAY_MS = 15_000;

/** SDK limit: milliseconds of the timeout that a read leaves for the attempt after such a wait. */
export const RATE_LIMIT_MARGIN_MS = 5_000;

/** SDK limit: length of a card number, from ISO/IEC 7812-1. The specification names only a "card number". */
export const CARD_NUMBER_DIGITS = { min: 12, max: 19 } as const;

/**
 * How the sandbox delivers postbacks: the timeout in milliseconds, the number of retries after a response
 * other than 2xx, and the delay before the first retry in milliseconds, doubled for each further one. SDK
 * limit: "retry behaviour, time-outs: not shown". Spec: "Events".
 */
export const POSTBACK_DELIVERY = { timeoutMs: 10_000, retries: 4, backoffMs: 1_000 } as const;

/** SDK limit: lifetime of a signed postback URL, in days. Refunds and chargebacks can happen late. */
export const POSTBACK_URL_LIFETIME_DAYS = { pix: 180, credit_card: 730 } as const;

/** SDK limit: minimum bytes of a key that signs postback URLs with HS256. RFC 7518, section 3.2. */
export const SIGNING_KEY_MIN_BYTES = 32;

/**
 * SDK limit: length of a postback URL in characters. `common` is what many services store, `max` is what every
 * server accepts in a request line.
 */
export const POSTBACK_URL_CHARACTERS = { common: 255, max: 2_048 } as const;

/** SDK limit: maximum bytes of a postback. The body in the specification has about 150. */
export const POSTBACK_MAX_BYTES = 65_536;

/** SDK limit: timeout for receiving the body of a postback, in milliseconds. */
export const POSTBACK_TIMEOUT_MS = 10_000;

/**
 * SDK limit: duration of the lease on a postback, in milliseconds. Longer than most database failovers, so that
 * a running process keeps its claim through one.
 */
export const POSTBACK_LEASE_MS = 60_000;

/**
 * SDK limit: milliseconds after the end of a postback's lease in which its owner can still renew it. The store may
 * have been unavailable for that long, or its clock was set forward.
 */
export const POSTBACK_TAKEOVER_MS = 5_000;

/** SDK limit: the longest interval between renewals of a postback's lease, in milliseconds. It is at most a third of the lease. */
export const POSTBACK_RENEWAL_MS = 2_000;

/** SDK limit: timeout of a store operation in a postback handler, in milliseconds. */
export const POSTBACK_STORE_TIMEOUT_MS = 10_000;

/** SDK limit: milliseconds after which a handler warns that `onPostback` is still running. */
export const POSTBACK_SLOW_MS = 30_000;

/** SDK limit: postbacks of one order that a handler accepts at the same time, running and waiting. */
export const CONCURRENT_POSTBACKS_PER_ORDER = 100;

/** SDK limit: the longest `Retry-After` that a handler sends, in seconds. */
export const POSTBACK_RETRY_AFTER_MAX = 10;

/** SDK limit: handled postbacks that a memory store keeps. */
export const MEMORY_STORE_POSTBACKS = 20_000;

/** SDK limit: handled postbacks of one order that a memory store keeps. */
export const MEMORY_STORE_POSTBACKS_PER_ORDER = 1_000;

/** SDK limit: maximum characters of the texts in a postback. The longest status has 11, a timestamp 24. */
export const POSTBACK_TEXT_MAX = { status: 255, externalRef: 1_000, transactionDate: 255 } as const;

/**
 * SDK limit: handled postbacks of one transaction that a persistent store keeps. Those that decide what a later
 * one means are never removed.
 */
export const POSTBACKS_PER_TRANSACTION = 1_000;

/** SDK limit: days for which a store keeps finished orders. Chargebacks can happen late. */
export const RETENTION_DAYS = 400;

/** SDK limit: maximum characters of a store's namespace. */
export const NAMESPACE_MAX = 255;

/** SDK limit: orders that a memory store keeps. */
export const MEMORY_STORE_ORDERS = 20_000;

/** SDK limit: milliseconds by which the lease on an order is longer than the timeout of its request. */
export const CREATE_LEASE_MARGIN_MS = 30_000;

/** SDK limit: the longest lease, in milliseconds. A longer one was written with a wrong clock. */
export const MAX_LEASE_MS = 24 * 60 * 60_000;

/** SDK limit: maximum number of other transactions of a reference that its record keeps. */
export const OTHER_TRANSACTIONS = 100;

/** SDK limit: how many lost pix of a reference can be replaced before one of them is settled. */
export const PIX_REPLACEMENTS = 100;

/** SDK limit: attempts to change a record that the database refuses without a reason. */
export const CHANGE_TRIES = 10;

/** SDK limit: milliseconds for which a change of a record is retried while other processes keep changing it first. */
export const MAX_CHANGE_MS = 10_000;

/** SDK limit: milliseconds for which an operation without a signal waits for a locked SQLite file. */
export const SQLITE_LOCK_MAX_MS = 10_000;

/** SDK limit: milliseconds for which opening a locked SQLite file can block the process. */
export const SQLITE_OPEN_MAX_MS = 2_000;

/** SDK limit: the largest number of installments of a plan. The specification does not show a maximum. */
export const MAX_INSTALLMENTS = 120;

/** SDK limit: the highest interest of a plan per month, as a fraction. A percentage by mistake, such as 1.99, is above it. */
export const MAX_MONTHLY_RATE = 0.2;
