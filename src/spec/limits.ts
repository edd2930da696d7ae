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

/**
 * SDK limit: length of a postback URL in characters. `common` is what many services store, `max` is what every
 * server accepts in a request line.
 */
export const POSTBACK_URL_CHARACTERS = { common: 255, max: 2_048 } as const;

/** SDK limit: maximum characters of the texts in a postback. The longest status has 11, a timestamp 24. */
export const POSTBACK_TEXT_MAX = { status: 255, externalRef: 1_000, transactionDate: 255 } as const;

/** SDK limit: milliseconds by which the lease on an order is longer than the timeout of its request. */
export const CREATE_LEASE_MARGIN_MS = 30_000;

/** SDK limit: the largest number of installments of a plan. The specification does not show a maximum. */
export const MAX_INSTALLMENTS = 120;

/** SDK limit: the highest interest of a plan per month, as a fraction. A percentage by mistake, such as 1.99, is above it. */
export const MAX_MONTHLY_RATE = 0.2;
