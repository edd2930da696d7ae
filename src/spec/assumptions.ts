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

/** The environments of the service, its authentication and its rate limits. */
const service: readonly Assumption[] = [
  {
    id: "test-environment",
    section: "General rules",
    found: "One description has a test environment, another says that all tests run against production.",
    choice:
      "There is no default base URL. `status.assertEnvironment` verifies which environment responds. Use the sandbox of this package for development.",
    option: "baseUrl",
  },
  {
    id: "dashboard",
    section: "General rules",
    found:
      "A dashboard is mentioned once, for a button that simulates the payment of a test pix. What else it shows is not stated.",
    choice:
      "It is assumed to list the transactions with their amount, status and reference. Error messages recommend looking a payment up there, because no endpoint can retrieve one.",
  },
  {
    id: "boleto",
    section: "General rules",
    found: "`boleto` is a flag among the company's payment methods, but no endpoint for it exists.",
    choice: "The company's flag can be read. `boleto` is not a payment method of a transaction.",
  },
  {
    id: "debit-cards",
    section: "General rules",
    found: "Debit cards are not supported.",
    choice: "The SDK has no option for them. If a debit card is tokenized, the service has to refuse it.",
  },
  {
    id: "versions",
    section: "Versioning",
    found:
      "The version is part of the path. How another version is selected, and when one is retired, is not stated.",
    choice: "The SDK uses `/api/v1`. `status.retrieve` returns the version that the service reports.",
  },
  {
    id: "sellers-path",
    section: "Endpoints",
    found: "The path prefix of the two seller endpoints is not stated.",
    choice: "The SDK requests `/sellers` and `/sellers/revenue` under the base URL.",
    option: "sellersPath",
  },
  {
    id: "sellers-authentication",
    section: "Authentication",
    found:
      "The seller endpoints can return 401, but their authentication scheme is not stated. Rule 2 requires Basic for all other endpoints.",
    choice: "They are called with Basic authentication.",
    option: "sellersAuth",
  },
  {
    id: "sellers-pages",
    section: "GET /sellers",
    found: "`page` and `limit` are announced but not available. A page has at most 100 entries.",
    choice: "One page is read. At exactly 100 entries, a `warning` event reports that there may be more.",
  },
  {
    id: "key-rotation",
    section: "Authentication",
    found: "How keys are rotated is not stated.",
    choice:
      "A client never changes its keys: create a new client for new keys. Stored data does not depend on the keys.",
  },
  {
    id: "public-key-in-the-address",
    section: "POST /api/v1/card-token",
    found: "The public key is sent in the query string, where proxies and logs can see it.",
    choice: "It is sent as specified, and redacted from every error and event.",
  },
  {
    id: "cross-origin-tokenization",
    section: "Authentication",
    found:
      "The public key may be exposed in frontends. Which CORS headers the service sends to browsers is not stated.",
    choice:
      "Tokenization is expected to be allowed from any origin. The sandbox allows it for this endpoint only. If a page receives no response, it sends a HEAD request without key and card to the same URL, to distinguish a CORS error from a network error.",
  },
  {
    id: "rate-limits",
    section: "Limits",
    found: "Limits are stated for the status endpoint only. `Retry-After` is not mentioned.",
    choice:
      "A 429 is recognized on every endpoint. `Retry-After` is read in seconds or as a date, if the service sends it. Reads wait for up to 60 seconds.",
  },
  {
    id: "rate-limit-windows",
    section: "Limits",
    found:
      "Whether the windows of the status endpoint's limits (a minute and an hour) slide, and whether refused requests count, is not stated.",
    choice: "In the sandbox, both windows slide and refused requests do not count.",
  },
  {
    id: "idempotency",
    section: "POST /api/v1/transactions",
    found:
      "There is no idempotency key, and no endpoint to retrieve, list, cancel or refund a transaction is shown.",
    choice:
      "The request that creates a transaction is sent once and never repeated. The `outcome` of every error states what is known about the charge. `PaymentsClient({ idempotency })` records the result for each `externalRef` in your store, so that no other process sends the request again. No other operation is offered.",
  },
  {
    id: "reused-references",
    section: "POST /api/v1/transactions",
    found: "Whether the service refuses an `externalRef` that was used before is not stated.",
    choice:
      "The SDK does not rely on it. With a store, a reference can be used again if its transaction is refused, expired or cancelled, or if no transaction was created.",
  },
  {
    id: "lost-pix",
    section: "POST /api/v1/transactions",
    found:
      "A pix whose response was lost cannot be retrieved. Whether the service itself shows its code to the customer, for example on the page at `secureUrl`, is not stated.",
    choice:
      "It is assumed that no one can pay a code that the merchant has not received, so `createPix` with `replaceLost: true` may create another pix for the same reference. If the customer pays both, a `warning` event reports it.",
    option: "replaceLost",
  },
  {
    id: "redirects",
    section: "Endpoints",
    found: "Redirects are not mentioned.",
    choice:
      "No redirect is followed, because that would send the body and the key again. A redirect is a `RedirectError`.",
  },
  {
    id: "request-ids",
    section: "Endpoints",
    found: "No response header with a request id is mentioned.",
    choice:
      "`requestId` is read from `x-request-id`, `request-id`, `x-correlation-id` or `cf-ray`, if one is present.",
  },
];

/** What the SDK sends. */
const requests: readonly Assumption[] = [
  {
    id: "second-card-path",
    section: "POST /api/v1/transactions",
    found:
      "A second description of card requests uses `/api/v1/transaction/card` with `amount`, `token` and `description`.",
    choice: "It is not supported: it conflicts with the first description and is not described any further.",
  },
  {
    id: "pix-fields",
    section: "POST /api/v1/transactions",
    found:
      "For a pix, the endpoint lists phone, reference, postback URL, items, IP and metadata as required. The pix guide lists them as optional.",
    choice: "They are optional on a pix and required on a card. The sandbox follows the guide.",
    option: "createGateway({ pixFields: 'endpoint' })",
  },
  {
    id: "amount-outside-the-limits",
    section: "POST /api/v1/transactions",
    found:
      'An amount outside the company\'s limits is "refused automatically". Whether that is a 400, or a 201 with a refused transaction, is not stated.',
    choice:
      "The SDK supports both and does not check the limits itself. The sandbox refuses a card with 201, and a pix, which cannot be `refused`, with 400.",
    option: "createGateway({ outsideLimits: 'validation' })",
  },
  {
    id: "cnpj-with-letters",
    section: "POST /api/v1/transactions",
    found: 'A document number is "digits only", but a CNPJ can contain letters since July 2026.',
    choice:
      "Punctuation is removed and letters are kept. A CNPJ with letters is sent with a `warning` event. The sandbox refuses it.",
    option: "createGateway({ alphanumericCnpj: true })",
  },
  {
    id: "document-length",
    section: "POST /api/v1/transactions",
    found: "The length of a document number, and whether its check digits are verified, is not stated.",
    choice:
      "A `cpf` has 11 characters and a `cnpj` 14, by Brazilian law. The service decides about check digits: a number with wrong ones is sent with a `warning` event.",
  },
  {
    id: "installments",
    section: "POST /api/v1/transactions",
    found:
      "Installments are a string in the request and an integer in the response. Their range is not stated.",
    choice: "A number or a string, 1 or more, is accepted and sent as a string.",
  },
  {
    id: "metadata",
    section: "POST /api/v1/transactions",
    found: "Metadata is a JSON-encoded string. Its maximum length is not stated.",
    choice:
      "An object is converted to JSON. A string that is not JSON is sent with a `warning` event. More than 64 kB is refused, which is a limit of the SDK.",
  },
  {
    id: "lengths",
    section: "Limits",
    found:
      "The lengths and formats of phone, reference, IP and names, and the maximum number of items, are not stated.",
    choice:
      "Text must not be empty. A reference has at most 1,000 characters, because postbacks with a longer one are not read, and no control characters, which some databases cannot store. An e-mail address contains an `@`. Everything else is left to the service.",
    option: "extraBody",
  },
  {
    id: "items-and-amount",
    section: "Order item",
    found: "Whether the items must add up to the amount is not stated.",
    choice:
      "If they do not, a `warning` event reports it. Discounts and shipping are valid reasons for a difference.",
  },
  {
    id: "pix-expiry",
    section: "POST /api/v1/transactions",
    found: "The service reduces `expiresInDays` above 30. The time zone in which a day ends is not stated.",
    choice:
      "The value is sent unchanged, with a `warning` event above 30. The sandbox counts days of 24 hours from the creation.",
  },
  {
    id: "postback-address",
    section: "POST /api/v1/transactions",
    found: "Which kinds of URL the service can post to is not stated.",
    choice:
      "An absolute http or https URL is sent. An http address causes a `warning` event. So does a loopback address, unless the service itself is on one, as a sandbox is.",
  },
  {
    id: "card-data",
    section: "POST /api/v1/card-token",
    found: "The formats of the card number, the name and the security code are not stated.",
    choice:
      "A number has 12 to 19 digits (ISO/IEC 7812-1), a code 3 or 4. The check digit is not verified, because published test cards fail the check.",
  },
  {
    id: "disabled-methods",
    section: "Company",
    found: "The response to a payment method that is not enabled for the company is not stated.",
    choice: "The SDK does not check this before it sends. The sandbox returns 400 on `paymentMethod`.",
    option: "createGateway({ company: { paymentMethods: { pix: false } } })",
  },
];

/** What the service returns. */
const responses: readonly Assumption[] = [
  {
    id: "envelope-status",
    section: "Transaction (response envelope)",
    found: "The envelope's `status` is 201 in most examples and 1 in one.",
    choice: "It is ignored: the HTTP status and `success` count.",
  },
  {
    id: "cancelled",
    section: "States and transitions",
    found: "The status is spelled `cancelled`, but `canceled` for a pix and in the event name.",
    choice: "Both are read as `cancelled`. `rawStatus` keeps the spelling. The sandbox sends `cancelled`.",
  },
  {
    id: "unknown-statuses",
    section: "States and transitions",
    found: "Similar gateways send `paid`, `waiting_payment`, `chargeback` and upper case.",
    choice:
      "These are read as `approved`, `pending` and `chargedback`, in upper or lower case. Any other text is `unrecognized`, and never treated as paid.",
  },
  {
    id: "status-by-method",
    section: "States and transitions",
    found:
      "`refused`, `processing` and `chargedback` are listed for cards only, `expired` is listed for pix only.",
    choice:
      "The SDK accepts every status for both methods, because in practice a pix can be charged back. The sandbox follows the lists.",
  },
  {
    id: "moves-out-of-approved",
    section: "States and transitions",
    found: "No transition from `approved` is shown, not even to `refunded` or `chargedback`.",
    choice:
      "Both are expected to follow `approved`, for a pix too: `checkTransition` returns `advance` for them. In the sandbox, `refund` and, on a card, `chargeback` start from `approved` only.",
  },
  {
    id: "other-moves",
    section: "States and transitions",
    found: "No transition to `cancelled`, and none from `processing`, is shown.",
    choice:
      "In the sandbox, a pending pix and a processing card can be cancelled or paid. Some test card numbers are approved or refused after a delay.",
  },
  {
    id: "partial-refunds",
    section: "States and transitions",
    found: "`refundedAmount` can be less than the paid amount, but no status exists for it.",
    choice:
      "In the sandbox, a partial refund leaves the transaction `approved` and sends no postback. When everything is refunded, it is `refunded`.",
  },
  {
    id: "refused-reason",
    section: "Transaction (`data`)",
    found:
      "The values of `refusedReason` are not listed. Similar gateways send an empty string, null or an object.",
    choice: "It is text for people. A refused card always has one: `unspecified` if the service sends none.",
  },
  {
    id: "names-of-the-postback-url",
    section: "Transaction (`data`)",
    found: "The request has `postbackUrl`, the response `postBackUrl`.",
    choice: "Both keep the spelling of the service.",
  },
  {
    id: "names-of-the-reference",
    section: "Transaction (`data`)",
    found:
      "The request has `externalRef`, the response `externalId`, and one example has `customer.externalRef` too.",
    choice: "All keep the spelling of the service. Errors and postbacks use `externalRef`.",
  },
  {
    id: "fields-in-one-example",
    section: "Transaction (`data`)",
    found: "`metadata`, `postBackUrl` and `customer.externalRef` appear in one example only.",
    choice: "If they are missing, no `drift` event is emitted.",
  },
  {
    id: "open-enumerations",
    section: "Resources and their fields",
    found: "The values of `acquirerType` are not listed, and the lists of other fields may grow.",
    choice:
      "The enumerations of company, health and sellers accept any text. Only the status of a transaction is a closed list.",
  },
  {
    id: "hosted-checkout",
    section: "Transaction (`data`)",
    found: "`secureUrl` is the hosted checkout. What it does is not stated.",
    choice:
      "It is returned unchanged. In the sandbox, it is a page that shows the transaction and can pay it.",
  },
  {
    id: "content-types",
    section: "General rules",
    found: "The content types of responses are not stated.",
    choice: "A response is read by its content; its content type is ignored.",
  },
  {
    id: "other-statuses",
    section: "Errors",
    found: "Only 200, 201, 400, 401 and 429 are shown, and none for the company endpoint.",
    choice:
      "Any 2xx is a success. 403, 404, 405, 411, 413, 415 and 422 mean that nothing was charged. After any other 4xx and any 5xx, the outcome of creating a transaction is `unknown`.",
  },
  {
    id: "refusals-with-a-transaction",
    section: "Errors",
    found: "Whether a response other than 2xx can contain a transaction is not stated.",
    choice:
      "The body outranks the status: if it has a transaction's id in the expected place, and not the `externalId` of another order, the outcome is `created` and the error has `transactionId`.",
  },
  {
    id: "answers-of-other-orders",
    section: "Transaction (`data`)",
    found: "`externalId` is the `externalRef` that was sent. What a different one means is not stated.",
    choice:
      "The response belongs to another request, whatever its status: the outcome is `unknown`, without a `transactionId`, and `nodeTransport` does not reuse the connection. A missing or empty `externalId` is ignored. A different `amount` is a `drift` event.",
  },
  {
    id: "error-bodies",
    section: "Errors",
    found: "Error bodies are shown for creating a transaction only.",
    choice:
      "`issues` are read from all shapes that similar gateways send. The error keeps the body. On tokenization, a field such as `card.expiration_month` is reported as `expirationMonth`, the name of the input.",
  },
  {
    id: "card-token-life",
    section: "Card token",
    found: "A token is a JWT that is valid for 5 minutes. Its claims are not stated.",
    choice:
      "Its lifetime (`exp` minus `iat`, or else five minutes) counts from the moment it is received. Claims are read and never trusted. A token that is not a JWT is accepted.",
  },
  {
    id: "card-token-uses",
    section: "Card token",
    found: "Whether a token can be used more than once is not stated.",
    choice: "The SDK does not restrict it. The sandbox accepts a token again.",
  },
  {
    id: "revenue-units",
    section: "Seller revenue (list entry)",
    found: "Revenue is decimal BRL, unlike every other amount.",
    choice: "It is returned unchanged. `toCents` converts it to cents without float arithmetic.",
  },
  {
    id: "revenue-of-whom",
    section: "Seller revenue (list entry)",
    found:
      "How transactions are assigned to sellers, and whether refunds and chargebacks reduce revenue, is not stated.",
    choice:
      "In the sandbox, payments belong to the first seller, in the month in which they were approved. Refunds are subtracted, and a chargeback subtracts the rest.",
    option: "createGateway({ sellers })",
  },
  {
    id: "paid-amount-at-creation",
    section: "Transaction (`data`)",
    found:
      "`paidAmount` is 0 at creation. Whether this includes a card that is approved immediately is not stated.",
    choice: "The sandbox returns 0. Only `status` shows whether a payment is approved.",
  },
  {
    id: "fees",
    section: "Transaction (`data`)",
    found: "`fees` are in cents. How they are calculated is not stated.",
    choice:
      "The sandbox charges 3.99 % for a card and 0.99 % for a pix, and nothing if the payment is refused.",
  },
];

/** What the service posts after the creation. */
const postbacks: readonly Assumption[] = [
  {
    id: "unsigned-postbacks",
    section: "Events",
    found: "Signature, retries, timeouts and the expected response of postbacks are not stated.",
    choice:
      "A postback alone is never trusted, because it does not prove its sender. `PostbackUrlSigner` signs the URL that the service posts to, which proves the order but not the status. A postback can arrive twice, late, or out of order.",
  },
  {
    id: "postback-reference",
    section: "Postback notification",
    found: "A postback carries `externalRef`, which is optional on a pix.",
    choice:
      "`parsePostback` accepts a postback without one. If the URL is signed, it is refused, because nothing proves its order. A transaction with a signed URL requires a reference.",
  },
  {
    id: "postback-shape",
    section: "Postback notification",
    found: "One flat body is shown.",
    choice:
      "Only this shape is accepted, with a status of at most 255 characters and a reference of at most 1,000. In an envelope, the `id` at the root could be the id of the delivery, so an envelope is an `InvalidPostbackError`.",
  },
  {
    id: "event-names",
    section: "Configurable event names",
    found: "How the configured event names relate to the postbacks of a transaction is not stated.",
    choice: "The company's names are returned as text. Postbacks are distinguished by their `status`.",
  },
  {
    id: "postback-retries",
    section: "Events",
    found: "Whether, how often and when a postback is sent again after a failure is not stated.",
    choice:
      "Retries are expected. The sandbox waits 10 seconds for a response and sends a postback up to 4 more times, after 1, 2, 4 and 8 seconds.",
    option: "createGateway({ postbacks: { retries, backoffMs, timeoutMs } })",
  },
  {
    id: "postback-order",
    section: "Events",
    found: "Whether postbacks arrive in order and only once is not stated.",
    choice:
      "The SDK does not rely on it. The sandbox sends the postbacks of one transaction in order and once. A retry can arrive after a later postback.",
    option: "createGateway({ postbacks: { delayMs, duplicates, reorder } })",
  },
  {
    id: "postback-at-creation",
    section: "Postback notification",
    found:
      "A postback is sent when the status changes. Whether the first status counts as a change is not stated.",
    choice: "The first status is in the response. The sandbox sends no postback at creation.",
    option: "createGateway({ postbacks: { onCreation: true } })",
  },
  {
    id: "postback-amount",
    section: "Postback notification",
    found: "Whether `amount` is the amount of the transaction or of a refund is not stated.",
    choice:
      "The sandbox sends the amount of the transaction with every status. `createPostbackHandler` accepts a different amount and reports it (`amountMatches: false`). After a refund or chargeback of a part, the rest counts as paid.",
  },
  {
    id: "postback-date",
    section: "Postback notification",
    found: "Whether `transactionDate` is the time of the creation or of the change is not stated.",
    choice: "The SDK returns it unchanged. The sandbox sends the time of the change.",
  },
  {
    id: "company-webhook",
    section: "Company",
    found: "`configuration.webhook.url` is a global notification URL. What is posted there is not stated.",
    choice:
      "The SDK returns it. The sandbox posts only to the `postbackUrl` of a transaction. A pix without one is sent with a `warning` event: perhaps nothing reports that it was paid.",
  },
  {
    id: "postback-identity",
    section: "Postback notification",
    found: "A postback has no id of its own.",
    choice:
      "`createPostbackHandler` treats two postbacks as the same if they have the same transaction, status, amount, order and trust. Two partial refunds of the same amount count as one.",
    option: "createPostbackHandler({ store })",
  },
  {
    id: "postback-reply",
    section: "Events",
    found: "Which response a receiver should send, and how fast, is not stated.",
    choice:
      "200 if `onPostback` succeeds or succeeded before. 500 if it failed and 503 if it could not run, so that the service sends the postback again. Another 4xx if a retry cannot help.",
  },
  {
    id: "signed-url-lifetime",
    section: "Postback notification",
    found: "For how long after its creation a transaction may change is not stated.",
    choice: "A signed postback URL is valid for 180 days for a pix and two years for a card.",
    option: "PostbackUrlSigner.sign(url, { expiresAt })",
  },
  {
    id: "postback-url-length",
    section: "POST /api/v1/transactions",
    found: "The maximum length of `postbackUrl` is not stated.",
    choice:
      "Above 255 characters, a `warning` event is emitted. A signed URL above 2,048 characters is refused before anything is sent.",
    option: "new PostbackUrlSigner({ maxLength })",
  },
];

/**
 * All gaps and contradictions of the specification, in the order in which a merchant encounters them.
 *
 * docs/specification.md is generated from this list.
 */
export const assumptions: readonly Assumption[] = [...service, ...requests, ...responses, ...postbacks];
