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

/** SDK limit: length of a card number, from ISO/IEC 7812-1. The specification names only a "card number". */
export const CARD_NUMBER_DIGITS = { min: 12, max: 19 } as const;

/**
 * SDK limit: length of a postback URL in characters. `common` is what many services store, `max` is what every
 * server accepts in a request line.
 */
export const POSTBACK_URL_CHARACTERS = { common: 255, max: 2_048 } as const;

/** SDK limit: maximum characters of the texts in a postback. The longest status has 11, a timestamp 24. */
export const POSTBACK_TEXT_MAX = { status: 255, externalRef: 1_000, transactionDate: 255 } as const;
