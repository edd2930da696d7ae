/** A point on which the specification is silent or contradicts itself, and the choice that the SDK makes. */
export interface Assumption {
  /** Stable name, used in links. */
  readonly id: string;
  /** Heading of the section of the specification. */
  readonly section: string;
  /** What the specification says or leaves open. */
  readonly found: string;
  /** What the SDK and its sandbox do. */
  readonly choice: string;
  /** The option that switches to the other reading, if a merchant may need it. */
  readonly option?: string;
}

/** "General rules" and "Resources and their fields". */
const resources: readonly Assumption[] = [
  {
    id: "test-environment",
    section: "General rules",
    found:
      "One description has a test environment, where a dashboard button can simulate the payment of a test `pix`. Another has none: all tests run against the base URL.",
    choice:
      "The SDK has no default base URL. `status.assertEnvironment` checks which environment responds. Tests can use the sandbox.",
  },
  {
    id: "dashboard",
    section: "General rules",
    found:
      "The dashboard has a button that simulates the payment of a test `pix`, if a test environment exists. Does it also list, cancel or refund transactions? No endpoint is shown that does.",
    choice:
      'Not assumed. Messages and pages say "check with the service": in its dashboard if that lists transactions, otherwise with its support. The dashboard of the sandbox is its own.',
  },
  {
    id: "debit-cards",
    section: "General rules",
    found: '"Debit cards are not supported." What happens to one?',
    choice: "The service decides: the SDK does not detect them. The sandbox approves one.",
  },
  {
    id: "currency",
    section: "General rules",
    found: "Revenue is in BRL. In which currency are the cents of transactions?",
    choice: "In BRL: `formatBRL` shows them as reais. No currency is sent.",
  },
  {
    id: "boleto",
    section: "General rules",
    found: "`boleto` is a flag of the company, but has no endpoint.",
    choice: "The SDK returns the flag.",
  },
  {
    id: "content-types",
    section: "General rules",
    found: "Which `Content-Type` headers are required?",
    choice:
      "The SDK sends `application/json`. The type of a response with a body is ignored. The sandbox accepts every type.",
  },
  {
    id: "optional-fields",
    section: "Resources and their fields",
    found: "Which response fields can be missing or `null`?",
    choice:
      "Only the id and the code of a pix are required. A `drift` event reports wrong types and missing fields, except copies of request fields and `installments`.",
  },
  {
    id: "open-enumerations",
    section: "Resources and their fields",
    found: "Which values can enumerations have, such as `acquirerType`?",
    choice: "Any text. Only the transaction status is a closed list.",
  },
  {
    id: "envelope-status",
    section: "Transaction (response envelope)",
    found: "Is the envelope's `status` 201 or, as in one `pix` example, 1?",
    choice:
      "Any integer; the SDK ignores it. A missing or wrong `success`, `message` or `status` is a `drift` event. The sandbox sends 201.",
    option: "createGateway({ envelopeStatus: 1 })",
  },
  {
    id: "envelope",
    section: "Transaction (response envelope)",
    found: "Can the envelope be missing, or have `success: false` with a 2xx?",
    choice:
      "A transaction or company without an envelope, a transaction in a list, sellers inside `data`, and seller ids that are numbers are read with a `drift` event. `success: false` throws an `ApiError`: its outcome is `unknown`, or `created` if there is a transaction id.",
  },
  {
    id: "transaction-ids",
    section: "Transaction (`data`)",
    found: "Which range does an `id` have?",
    choice:
      "If it is not above zero, a create call throws an `UnexpectedResponseError` with the outcome `unknown`. Above 2^53 - 1, JSON numbers are not exact: the call throws, with the id as text and the outcome `created`.",
  },
  {
    id: "fields-in-one-example",
    section: "Transaction (`data`)",
    found: "`metadata`, `postBackUrl` and `customer.externalRef` are in only one example.",
    choice: "They can be missing. The sandbox sends them.",
    option: "createGateway({ echo: 'documented' })",
  },
  {
    id: "refused-reason",
    section: "Transaction (`data`)",
    found: "Which values can `refusedReason` have?",
    choice: "Any text. If it is missing, the SDK sets `unspecified` for a refused card.",
  },
  {
    id: "installments-of-a-pix",
    section: "Transaction (`data`)",
    found: "What is `installments` for a pix?",
    choice: "The sandbox sends 1.",
  },
  {
    id: "paid-amount-at-creation",
    section: "Transaction (`data`)",
    found: "Is `paidAmount` 0 if a card is approved immediately?",
    choice: "In the sandbox, yes. Only `status` shows whether a payment is approved.",
  },
  {
    id: "hosted-checkout",
    section: "Transaction (`data`)",
    found: "What does the page at `secureUrl` do?",
    choice:
      "On the server of the sandbox (`startSandbox`, `npx payments sandbox`), the customer can pay there. In process (`createGateway`), it returns 404.",
  },
  {
    id: "names-of-the-reference",
    section: "Transaction (`data`)",
    found:
      "The request has `externalRef`, the response `externalId`, and one example `customer.externalRef`.",
    choice: "The names are kept. Errors and postbacks use `externalRef`.",
  },
  {
    id: "answers-of-other-orders",
    section: "Transaction (`data`)",
    found: "What if `externalId` is not the `externalRef` that was sent?",
    choice:
      "The response belongs to another request: the outcome is `unknown`, without a `transactionId`. A missing `externalId` is ignored. A different `amount` is a `drift` event.",
  },
  {
    id: "pix-code",
    section: "Transaction (`data`)",
    found: "What format does `qrcodeText` have? What if `qrcode` is not a PNG data URI?",
    choice:
      "Both are returned unchanged, with two exceptions: if only `qrcode` contains a BR Code, it is read as the code, and a picture in `qrcodeText` as the picture; a PNG in base64 becomes a data URI. These, and any other picture, are `drift` events. If the code is a BR Code, a wrong CRC, another currency than BRL and another amount are `drift` events. Sandbox codes cannot be paid with real money.",
  },
  {
    id: "traceable",
    section: "Transaction (`data`)",
    found: "What does `traceable` mean, and what is its default?",
    choice: "It is sent unchanged. The sandbox's default is false.",
  },
  {
    id: "fees",
    section: "Transaction (`data`)",
    found: "How are `fees` calculated?",
    choice: "The sandbox charges 3.99 % for a card, 0.99 % for a pix, and nothing for refused payments.",
  },
  {
    id: "names-of-the-postback-url",
    section: "Transaction (`data`)",
    found: "The request has `postbackUrl`, the response `postBackUrl`.",
    choice: "Both spellings are kept.",
  },
  {
    id: "item-fields",
    section: "Order item",
    found: "What are the ranges of item fields?",
    choice:
      "`unitPrice` is at least 0, `quantity` at least 1; `product_image` can be any text. For a discount, send a lower `amount`.",
  },
  {
    id: "number-of-items",
    section: "Order item",
    found: "How many items can a transaction have?",
    choice: "Any number: `items` can be empty.",
  },
  {
    id: "items-and-amount",
    section: "Order item",
    found: "Must the items add up to `amount`?",
    choice: "No. The SDK emits a `warning` event if they do not.",
  },
  {
    id: "card-token-life",
    section: "Card token",
    found: "A token is valid for 5 minutes. From when, and which claims does it have?",
    choice:
      "A `CardToken` is valid for 5 minutes after it is received, or less if its `exp` minus `iat` is less. A token that is text is valid until `exp`, at most 5 minutes after `iat`, with a tolerance of 60 seconds for clocks. A text without these times is sent: it need not be a JWT, but a text with white space, a key or a card number is refused.",
  },
  {
    id: "expired-card-tokens",
    section: "Card token",
    found: "What does an expired token, or one of another account, return?",
    choice:
      "The SDK throws a `CardTokenExpiredError` before sending an expired one. The sandbox returns 400 for both.",
  },
  {
    id: "card-token-uses",
    section: "Card token",
    found: "Can a token be used twice?",
    choice: "The sandbox accepts it.",
  },
  {
    id: "company-formats",
    section: "Company",
    found: "Which formats do `document.number` and `createdAt` have?",
    choice: "The SDK returns any text. The sandbox sends digits and ISO 8601.",
  },
  {
    id: "company-status",
    section: "Company",
    found: "Can a company that is not `active` create transactions?",
    choice:
      "In the sandbox, yes. With the option, 400 for `paymentMethod`. `payments doctor` fails for `pending`, `suspended` and `inactive`, and warns of another status.",
    option: "createGateway({ suspendedPays: false })",
  },
  {
    id: "disabled-methods",
    section: "Company",
    found: "What if a payment method is not enabled?",
    choice: "The sandbox returns 400 for `paymentMethod`.",
  },
  {
    id: "company-webhook",
    section: "Company",
    found: "What is posted to `configuration.webhook.url`?",
    choice: "In the sandbox, nothing. A pix without `postbackUrl` emits a `warning` event.",
  },
  {
    id: "company-settings",
    section: "Company",
    found: "What do `autoCapture`, `antifraudEnabled` and `settlement` change?",
    choice: "In the sandbox, nothing.",
  },
  {
    id: "overall-status",
    section: "Service status",
    found:
      "How do the components determine the overall status? What is the latency of one that is `offline`?",
    choice: "The sandbox is `degraded` if a component is not `online`, and sends a latency for each.",
    option: "createGateway({ services })",
  },
  {
    id: "seller-status",
    section: "Seller (list entry)",
    found: "What do the statuses of a seller mean?",
    choice: "The SDK and the sandbox attach no meaning to them.",
  },
  {
    id: "revenue-units",
    section: "Seller revenue (list entry)",
    found:
      "Revenue is decimal BRL; other amounts are cents. How many decimals has it, and can it be negative?",
    choice:
      "`toCents` converts it, also if it is negative, and rounds to whole cents, half a cent away from zero.",
  },
  {
    id: "revenue-of-whom",
    section: "Seller revenue (list entry)",
    found: "To which seller and month does revenue belong?",
    choice:
      "In the sandbox, to the first seller and the UTC month of approval, less refunds and chargebacks.",
  },
];

/** "States and transitions" and "Endpoints". */
const transactions: readonly Assumption[] = [
  {
    id: "cancelled",
    section: "States and transitions",
    found: "`cancelled` is spelled `canceled` in the pix list and the event name.",
    choice:
      "The SDK reads both as `cancelled`; `rawStatus` keeps the original. The sandbox posts `canceled` for a pix.",
    option: "createGateway({ pixCancelledAs: 'cancelled' })",
  },
  {
    id: "unknown-statuses",
    section: "States and transitions",
    found: "Similar gateways send `paid`, `waiting_payment`, `chargeback` and uppercase statuses.",
    choice:
      "They are read as `approved`, `pending` and `chargedback`. Other text is `unrecognized`, never paid.",
  },
  {
    id: "status-by-method",
    section: "States and transitions",
    found: "`refused`, `processing` and `chargedback` are listed for cards only, `expired` for pix only.",
    choice: "The SDK accepts every status for both. The sandbox follows the lists.",
  },
  {
    id: "refused-pix",
    section: "States and transitions",
    found: "Can a pix be refused when it is created?",
    choice:
      "If it is `refused`, `expired` or `cancelled` and has neither code nor picture, no one can pay it: the SDK throws a `PixRefusedError`. With a code, or a picture and no contradiction, it is a result; without them and contradicted, the call fails with the outcome `created`. The sandbox refuses a pix only with the fault `pix_refused` or `outsideLimits: 'refused'`, and sends a `refusedReason` with it.",
  },
  {
    id: "moves-out-of-approved",
    section: "States and transitions",
    found: "Which transitions from `approved` exist?",
    choice: "`refunded` and `chargedback` are expected. In the sandbox, only cards are charged back.",
  },
  {
    id: "other-moves",
    section: "States and transitions",
    found: "Which transitions exist to `cancelled`, and from `processing`?",
    choice:
      "In the sandbox, a pending transaction or a processing card can be paid or cancelled; one test card is refused after `processing`. docs/postbacks.md lists what `checkTransition` assumes.",
  },
  {
    id: "partial-refunds",
    section: "States and transitions",
    found: "A partial refund has no status.",
    choice: "In the sandbox, the transaction stays `approved`, and no postback is sent.",
  },
  {
    id: "redirects",
    section: "Endpoints",
    found: "Redirects are not mentioned.",
    choice:
      "The SDK does not follow them: that would send the request again. It throws a `RedirectError`: `rejected` after 301, 307 and 308, `unknown` after the others.",
  },
  {
    id: "request-ids",
    section: "Endpoints",
    found: "Which response header contains the request id?",
    choice: "The SDK reads `x-request-id`, `request-id`, `x-correlation-id` and `cf-ray`.",
  },
  {
    id: "pix-fields",
    section: "POST /api/v1/transactions",
    found:
      "For a pix, the endpoint requires `customer.phone`, `externalRef`, `postbackUrl`, `traceable`, `items`, `ip`, `metadata` and `pix.expiresInDays`; the pix guide calls them optional.",
    choice:
      "The SDK and the sandbox follow the guide; a `warning` event names missing fields. Send all eight, which satisfies both.",
    option: "createGateway({ pixFields: 'endpoint' })",
  },
  {
    id: "installments",
    section: "POST /api/v1/transactions",
    found: "What is the range of `installments`? Can a pix have them? What does the service add for them?",
    choice:
      "At least 1, sent as a string; `amount` is the total. `installmentPlan` computes the shop's own interest. The SDK and the sandbox reject them for a pix.",
  },
  {
    id: "pix-expiry",
    section: "POST /api/v1/transactions",
    found: "What is the minimum of `expiresInDays`? When does a day end?",
    choice: "The minimum is 1. Above 30, the SDK emits a `warning` event. The sandbox counts 24 hours.",
  },
  {
    id: "metadata",
    section: "POST /api/v1/transactions",
    found: 'How long can `metadata`, "a JSON-encoded string", be?',
    choice:
      "The SDK accepts 64 kB, and converts objects and arrays. Other text emits a `warning` event; the sandbox rejects it.",
  },
  {
    id: "cnpj-with-letters",
    section: "POST /api/v1/transactions",
    found: 'Document numbers are "digits only", but since July 2026 a CNPJ can contain letters.',
    choice: "The SDK sends letters, with a `warning` event. The sandbox rejects them.",
    option: "createGateway({ alphanumericCnpj: true })",
  },
  {
    id: "document-length",
    section: "POST /api/v1/transactions",
    found: "How long are document numbers? Are check digits verified?",
    choice: "A `cpf` has 11 characters, a `cnpj` 14. Wrong check digits emit a `warning` event.",
  },
  {
    id: "unknown-fields",
    section: "POST /api/v1/transactions",
    found: "What happens to unknown fields?",
    choice:
      "The SDK rejects them, except in `extraBody`. The sandbox ignores them, except those of the other payment method. `customer.externalRef` is an unknown field, too.",
  },
  {
    id: "smallest-amount",
    section: "POST /api/v1/transactions",
    found: "What is the smallest `amount` if the company has no limits?",
    choice: "1 cent. The SDK and the sandbox reject less.",
  },
  {
    id: "amount-outside-the-limits",
    section: "POST /api/v1/transactions",
    found: "Does an amount outside the limits return 400, or 201 with `refused`?",
    choice:
      "The SDK supports both. The sandbox returns 201 for a card, 400 for a pix; with `refused`, 201 for both. Amounts equal to a limit are allowed.",
    option: "createGateway({ outsideLimits: 'refused' | 'validation' })",
  },
  {
    id: "postback-address",
    section: "POST /api/v1/transactions",
    found: "Which URLs can the service post to?",
    choice:
      "The SDK sends absolute http and https URLs, without spaces, invisible characters or backslashes, which the sandbox accepts. An http or loopback address emits a `warning` event, except to a sandbox on loopback.",
  },
  {
    id: "postback-url-length",
    section: "POST /api/v1/transactions",
    found: "What is the maximum length of `postbackUrl`?",
    choice: "Above 255 characters, the SDK emits a `warning` event; above 2,048, it rejects a signed URL.",
    option: "new PostbackUrlSigner({ maxLength })",
  },
  {
    id: "second-card-path",
    section: "POST /api/v1/transactions",
    found: "A second description uses `/api/v1/transaction/card` with `amount`, `token` and `description`.",
    choice: "It is not supported.",
  },
  {
    id: "idempotency",
    section: "POST /api/v1/transactions",
    found: "No idempotency key is shown, and no endpoint to retrieve, list, cancel or refund a transaction.",
    choice:
      "A create call is sent once, and every error has an `outcome`. With a store, an order that may be charged is not repeated.",
  },
  {
    id: "reused-references",
    section: "POST /api/v1/transactions",
    found: "Can an `externalRef` be used again?",
    choice:
      "With a store, only if its transaction does not exist, or is refused, cancelled or expired. The sandbox accepts it.",
  },
  {
    id: "lost-pix",
    section: "POST /api/v1/transactions",
    found: "Can a customer pay a pix whose response was lost?",
    choice:
      "The SDK assumes not, so `replaceLost: true` may create another one. If both are paid, a `warning` event reports it.",
  },
  {
    id: "card-data",
    section: "POST /api/v1/card-token",
    found: "What formats do the card number and the security code have?",
    choice:
      "A number has 12 to 19 digits, a code 3 or 4. Wrong check digits are allowed: published test cards have them. `<payment-card-form>` requires a code of 4 digits for American Express, of 3 for other known brands, and a second submit for a wrong check digit.",
  },
  {
    id: "card-names",
    section: "POST /api/v1/card-token",
    found: "Can names consist of digits only?",
    choice:
      "The SDK rejects such a `holderName`, which is probably a card number, but accepts such a `customer.name`. The sandbox accepts both.",
  },
  {
    id: "expiry-year",
    section: "POST /api/v1/card-token",
    found: "`expirationYear` is `YYYY`. Which years are valid?",
    choice:
      "The SDK accepts 2000 to 2999, and two digits: it sends 27 as 2027. The sandbox accepts any four digits, and not two.",
  },
  {
    id: "card-token-text",
    section: "POST /api/v1/card-token",
    found: "Can the token be quoted as JSON?",
    choice:
      "The SDK removes the quotes, with a `drift` event. An object or a page is an `UnexpectedResponseError`.",
  },
  {
    id: "expired-cards",
    section: "POST /api/v1/card-token",
    found: "Does tokenization or payment reject an expired card?",
    choice:
      "The sandbox refuses the payment. The SDK does not check the date; `<payment-card-form>` requires a second submit for a past one.",
  },
  {
    id: "public-key-in-the-address",
    section: "POST /api/v1/card-token",
    found: "Proxies and logs can see the public key in the query string.",
    choice: "It is redacted from errors and events.",
  },
  {
    id: "company-statuses",
    section: "GET /api/v1/company",
    found: 'The status codes of this endpoint are "not shown"; "Errors" lists 401.',
    choice: "Any 2xx is a success; 401 throws an `AuthenticationError`.",
  },
  {
    id: "sellers-pages",
    section: "GET /sellers",
    found:
      "`page` and `limit` are unavailable, and a page has at most 100 sellers. Does the revenue have a limit?",
    choice:
      "The SDK sends neither, except as `extraQuery`. If there are 100 sellers, a `warning` event reports that there may be more. The sandbox returns the revenue of all.",
  },
  {
    id: "sellers-path",
    section: "GET /sellers",
    found: "Which prefix do the seller paths have?",
    choice: "None: `/sellers` and `/sellers/revenue`.",
    option: "PaymentsClient({ sellersPath }), createGateway({ sellersPath })",
  },
];

/** "Authentication", "Events", "Errors", "Limits" and "Versioning". */
const rest: readonly Assumption[] = [
  {
    id: "sellers-authentication",
    section: "Authentication",
    found: 'Rule 2: with Basic, like "the other endpoints". Rule 6: "not shown beyond their 401 response".',
    choice: "With Basic.",
    option: "PaymentsClient({ sellersAuth }), createGateway({ sellersAuth })",
  },
  {
    id: "key-rotation",
    section: "Authentication",
    found: "How are keys rotated?",
    choice: "Create a new client for new keys. Stored data does not depend on them.",
  },
  {
    id: "cross-origin-tokenization",
    section: "Authentication",
    found: "Which CORS headers do browsers get?",
    choice:
      "Tokenization is expected to work from any origin. If no response arrives, a HEAD request, without key and card, detects CORS errors.",
  },
  {
    id: "unsigned-postbacks",
    section: "Events",
    found: "Are postbacks signed?",
    choice:
      "A postback alone is never trusted. `PostbackUrlSigner` signs its URL, which proves the order but not the status.",
  },
  {
    id: "postback-retries",
    section: "Events",
    found: "When are postbacks retried?",
    choice: "The sandbox retries after 1, 2, 4 and 8 seconds. Its timeout is 10 seconds.",
  },
  {
    id: "postback-order",
    section: "Events",
    found: "Do postbacks arrive in order and once?",
    choice: "The SDK does not rely on it. In the sandbox they do, unless a postback is retried.",
  },
  {
    id: "postback-reply",
    section: "Events",
    found: "Which response does the service expect?",
    choice:
      "`createPostbackHandler` returns 200 after success, 500 if `onPostback` failed, 503 if it could not run, 408 if the body is late, and another 4xx if a retry cannot help.",
  },
  {
    id: "changes-that-are-posted",
    section: "Postback notification",
    found:
      "Any status change of a transaction is posted; the stated case is a paid pix. Can a postback be lost?",
    choice:
      "The sandbox posts every change. Orders of which no postback arrives can be resolved by hand. To test a lost one, use the option.",
    option: "createGateway({ postbacks: { expired: false } })",
  },
  {
    id: "postback-at-creation",
    section: "Postback notification",
    found: "Is the first status posted?",
    choice: "The sandbox does not post it.",
    option: "createGateway({ postbacks: { onCreation: true } })",
  },
  {
    id: "postback-shape",
    section: "Postback notification",
    found: "Can a postback have another shape?",
    choice:
      "An envelope is an `InvalidPostbackError`. `id`, `status` and `amount` are required; `id` and `amount` can be text. `externalRef` and `transactionDate` can be missing or `null`, or any text. `id` is above zero, `amount` is not negative. A status and a date have at most 255 characters, a reference 1,000, without NUL and half surrogate pairs.",
  },
  {
    id: "postback-reference",
    section: "Postback notification",
    found: "`externalRef` is optional on a pix.",
    choice: "`parsePostback` accepts a postback without it. A signed URL requires it.",
  },
  {
    id: "postback-amount",
    section: "Postback notification",
    found: "Is `amount` the transaction's or a refund's?",
    choice:
      "`createPostbackHandler` accepts both, and reports `amountMatches`. The sandbox sends the transaction's.",
  },
  {
    id: "postback-date",
    section: "Postback notification",
    found: "Of what is `transactionDate` the date: of the creation, the payment or the change?",
    choice:
      "The SDK returns it unchanged, and decides nothing by it. The sandbox sends the time of the change.",
  },
  {
    id: "postback-identity",
    section: "Postback notification",
    found: "A postback has no id of its own.",
    choice:
      "Two postbacks are the same if transaction, status, amount, order and trust match. Equal partial refunds count as one.",
  },
  {
    id: "signed-url-lifetime",
    section: "Postback notification",
    found: "For how long can a status change?",
    choice: "A signed URL is valid for 180 days (pix) or two years (card).",
    option: "signer.sign(url, { expiresAt })",
  },
  {
    id: "event-names",
    section: "Configurable event names",
    found: "How do event names relate to postbacks?",
    choice: "The sandbox posts every status, even without an event name.",
    option: "createGateway({ postbacks: { onlyConfiguredEvents: true } })",
  },
  {
    id: "other-statuses",
    section: "Errors",
    found: "Only 200, 201, 400, 401 and 429 are listed.",
    choice:
      "Any 2xx is a success. After 400, 401, 403, 404, 405, 411, 413, 415, 422 and 429, nothing was charged. After any other 4xx or 5xx, a create call's outcome is `unknown`.",
  },
  {
    id: "error-bodies",
    section: "Errors",
    found: "Which error bodies do other endpoints return?",
    choice:
      "The SDK also reads `issues` in the shapes of similar gateways. The sandbox uses the documented one, with fields such as `items.0.unitPrice`.",
  },
  {
    id: "error-messages",
    section: "Errors",
    found: "Which error codes and messages exist? The list is not shown.",
    choice:
      "The SDK decides nothing by a message: its error codes depend on the HTTP status and the shape of the body. The sandbox writes its own messages.",
  },
  {
    id: "refusals-with-a-transaction",
    section: "Errors",
    found: "Can an error response contain a transaction?",
    choice:
      "If it has a transaction id, and no other order's `externalId`, the outcome is `created`. If it shows a transaction in another format, or could not be read completely, it is `unknown`.",
  },
  {
    id: "rate-limits",
    section: "Limits",
    found: "Do other endpoints have limits? Is `Retry-After` sent?",
    choice:
      "The SDK recognizes 429 everywhere. Reads and tokenization wait for `Retry-After` up to 60 seconds; without it, 15 to 19 seconds, then twice as long, if that leaves 5 seconds of `timeout`.",
    option: "createGateway({ retryAfter: false })",
  },
  {
    id: "rate-limit-windows",
    section: "Limits",
    found: "Do the windows slide? Do rejected requests count?",
    choice: "In the sandbox they slide, and rejected requests do not count.",
  },
  {
    id: "lengths",
    section: "Limits",
    found: "What formats and maximum lengths do phone, reference, IP, names and other text have?",
    choice:
      "Text must not be empty, and can be any other text, also digits only. Only the SDK requires more: a reference has at most 1,000 characters, without control characters, an e-mail address has an `@` and no spaces, and no text has half a surrogate pair. The IP is sent unchanged; a `warning` event reports one that cannot be the buyer's.",
  },
  {
    id: "versions",
    section: "Versioning",
    found: "How is another version selected?",
    choice: "The SDK uses `/api/v1`. The sandbox reports `v1`.",
  },
  {
    id: "deprecation",
    section: "Versioning",
    found: "What is the deprecation policy?",
    choice: "The SDK reads no header about it. Unknown fields of responses are kept in `raw`.",
  },
];

/**
 * All gaps and contradictions of the specification, in the order of its sections.
 *
 * docs/specification.md is generated from this list.
 */
export const assumptions: readonly Assumption[] = [...resources, ...transactions, ...rest];
