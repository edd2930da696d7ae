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
    found: "One description has a test environment. Another says that all tests run against production.",
    choice:
      "There is no default base URL, and `status.assertEnvironment` verifies which environment responds. Use the sandbox of this package for development.",
    option: "PaymentsClient({ baseUrl })",
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
    id: "debit-cards",
    section: "General rules",
    found: '"Debit cards are not supported." What the service does with one is not stated.',
    choice: "The SDK has no option for them. If a debit card is tokenized, the service has to refuse it.",
  },
  {
    id: "boleto",
    section: "General rules",
    found: "`boleto` is a flag among the company's payment methods, but no endpoint for it exists.",
    choice: "The company's flag can be read. `boleto` is not a payment method of a transaction.",
  },
  {
    id: "content-types",
    section: "General rules",
    found:
      "Requests and responses are JSON, and a token is plain text. No `Content-Type` header is mentioned.",
    choice:
      "The SDK sends `application/json` and reads a response by its content, whatever its type. The sandbox reads a request as JSON, whatever its type, and sends `application/json` and `text/plain`.",
  },
  {
    id: "optional-fields",
    section: "Resources and their fields",
    found:
      "The response fields have types. Whether a field can be missing or `null` is not stated, except for `refusedReason` and `pix`.",
    choice:
      "Only the id is required, and the code of a pix. All other fields are optional in the types, unless the SDK can complete them. A field with another type is a `drift` event, and so is a missing one, unless it repeats what the request may leave out.",
  },
  {
    id: "open-enumerations",
    section: "Resources and their fields",
    found: "The values of `acquirerType` are not shown, and other lists of values may grow.",
    choice:
      "The enumerations of company, health and sellers accept any text. Only the status of a transaction is a closed list.",
  },
  {
    id: "envelope-status",
    section: "Transaction (response envelope)",
    found: 'The envelope\'s `status` is "201 in the examples; one `pix` example carries the value 1".',
    choice: "The SDK ignores it: the HTTP status and `success` count. The sandbox sends 201.",
    option: "createGateway({ envelopeStatus: 1 })",
  },
  {
    id: "fields-in-one-example",
    section: "Transaction (`data`)",
    found: '`metadata`, `postBackUrl` and `customer.externalRef` are "in one example".',
    choice: "If they are missing, no `drift` event is emitted. The sandbox sends them.",
    option: "createGateway({ echo: 'documented' })",
  },
  {
    id: "refused-reason",
    section: "Transaction (`data`)",
    found:
      "The values of `refusedReason` are not shown. Similar gateways send an empty string, null or an object.",
    choice: "It is text for people. A refused card always has one: `unspecified` if the service sends none.",
  },
  {
    id: "installments-of-a-pix",
    section: "Transaction (`data`)",
    found: "`installments` is in every transaction. Its value for a pix is not stated.",
    choice: "The sandbox sends 1.",
  },
  {
    id: "paid-amount-at-creation",
    section: "Transaction (`data`)",
    found:
      '`paidAmount` is "0 at creation". Whether this includes a card that is approved immediately is not stated.',
    choice: "The sandbox sends 0. Only `status` shows whether a payment is approved.",
  },
  {
    id: "hosted-checkout",
    section: "Transaction (`data`)",
    found: "`secureUrl` is the hosted checkout. What it does is not stated.",
    choice:
      "It is returned unchanged. In the sandbox, it is a page that shows the transaction and can pay it.",
  },
  {
    id: "names-of-the-reference",
    section: "Transaction (`data`)",
    found:
      "The request has `externalRef`, the response `externalId`, and one example has `customer.externalRef` too.",
    choice:
      "All keep the spelling of the service. Errors and postbacks use `externalRef`. In the sandbox, `customer.externalRef` repeats the `externalRef` of the request, unless the customer has one.",
  },
  {
    id: "answers-of-other-orders",
    section: "Transaction (`data`)",
    found: "`externalId` is the `externalRef` that was sent. What a different one means is not stated.",
    choice:
      "The response belongs to another request, whatever its status: the outcome is `unknown`, without a `transactionId`, and `nodeTransport` does not reuse the connection. A missing or empty `externalId` is ignored. A different `amount` is a `drift` event.",
  },
  {
    id: "pix-code",
    section: "Transaction (`data`)",
    found: '`qrcodeText` is "the copy-and-paste payment code". Its format is not stated.',
    choice:
      "The SDK returns it unchanged. The sandbox creates a BR Code with a reserved host name, so no one can pay it with real money.",
  },
  {
    id: "traceable",
    section: "Transaction (`data`)",
    found:
      '`traceable` is an "echo of the request". What it means, and its value if it was not sent, is not stated.',
    choice: "It is sent unchanged. The sandbox returns false if it was not sent.",
  },
  {
    id: "fees",
    section: "Transaction (`data`)",
    found: "`fees` are in cents. How they are calculated is not stated.",
    choice:
      "The sandbox charges 3.99 % for a card and 0.99 % for a pix, and nothing if the payment is refused. A pix has its fee from the start, also if it is never paid.",
  },
  {
    id: "names-of-the-postback-url",
    section: "Transaction (`data`)",
    found: "The request has `postbackUrl`, the response `postBackUrl`.",
    choice: "Both keep the spelling of the service.",
  },
  {
    id: "item-fields",
    section: "Order item",
    found:
      "The fields of an item have types, and only `product_image` is optional. Ranges are not stated, and neither is whether the list can be empty.",
    choice:
      "`unitPrice` is 0 or more, `quantity` is 1 or more, and the list can be empty, in the SDK and in the sandbox. A discount is not an item: send a lower `amount`.",
  },
  {
    id: "items-and-amount",
    section: "Order item",
    found: "Whether the items must add up to the amount is not stated.",
    choice:
      "If they do not, a `warning` event reports it, and the payment is sent. Discounts and shipping are valid reasons for a difference. The sandbox does not check it.",
  },
  {
    id: "card-token-life",
    section: "Card token",
    found: "A token is a JWT that is valid for 5 minutes. Its claims are not stated.",
    choice:
      "Its lifetime (`exp` minus `iat`, or else five minutes) counts from the moment it is received. Claims are read and never trusted. A token that is not a JWT is accepted.",
  },
  {
    id: "expired-card-tokens",
    section: "Card token",
    found: 'A token older than 5 minutes "must be replaced". The response to an older one is not stated.',
    choice:
      "The SDK throws a `CardTokenExpiredError` before it sends one whose `exp` it can read. The sandbox returns 400 on `card.hash`.",
  },
  {
    id: "card-token-uses",
    section: "Card token",
    found: "Whether a token can be used more than once is not stated.",
    choice: "The SDK does not restrict it. The sandbox accepts a token again.",
  },
  {
    id: "company-status",
    section: "Company",
    found:
      '`suspended` is "operations temporarily suspended". Whether such a company, or one that is `pending` or `inactive`, can create transactions is not stated.',
    choice:
      "The SDK does not check it. In the sandbox, every company can. With the switch, one that is not `active` gets 400 on `paymentMethod`, because no payment method is enabled for it.",
    option: "createGateway({ suspendedPays: false })",
  },
  {
    id: "disabled-methods",
    section: "Company",
    found: "The response to a payment method that is not enabled for the company is not stated.",
    choice: "The SDK does not check this before it sends. The sandbox returns 400 on `paymentMethod`.",
    option: "createGateway({ company: { paymentMethods: { pix: false } } })",
  },
  {
    id: "company-webhook",
    section: "Company",
    found: '`configuration.webhook.url` is a "global notification URL". What is posted there is not stated.',
    choice:
      "The SDK returns it. The sandbox posts only to the `postbackUrl` of a transaction. A pix without one is sent with a `warning` event: perhaps nothing reports that it was paid.",
  },
  {
    id: "company-settings",
    section: "Company",
    found:
      "What `autoCapture`, `antifraudEnabled` and `settlement` change is not stated, and no endpoint captures a payment.",
    choice: "The SDK returns them. In the sandbox, they have no effect.",
  },
  {
    id: "overall-status",
    section: "Service status",
    found:
      "A component can be `offline`, but the service only `online` or `degraded`. How they are related is not stated.",
    choice:
      "The sandbox is `degraded` as soon as one component is not `online`. The other endpoints respond as usual.",
    option: "createGateway({ services: { tokenizer: 'offline' } })",
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
      "How transactions are assigned to sellers, whether refunds and chargebacks reduce revenue, and the time zone of a month are not stated.",
    choice:
      "In the sandbox, payments belong to the first seller, in the month (UTC) in which they were approved. Refunds are subtracted, and a chargeback subtracts the rest.",
    option: "createGateway({ sellers })",
  },
];

/** "States and transitions" and "Endpoints". */
const transactions: readonly Assumption[] = [
  {
    id: "cancelled",
    section: "States and transitions",
    found:
      'The status is `cancelled`, but "written `canceled` in the `pix` status list and in the event name".',
    choice:
      "The SDK reads both as `cancelled`, and `rawStatus` keeps the spelling. The sandbox posts `canceled` for a pix and `cancelled` for a card.",
    option: "createGateway({ pixCancelledAs: 'cancelled' })",
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
    found: "No transition to `cancelled`, none from `processing`, and none of a `pending` card is shown.",
    choice:
      "In the sandbox, a pending transaction and a processing card can be cancelled or paid. The number of a test card decides its status at creation, and whether it changes after a delay.",
  },
  {
    id: "partial-refunds",
    section: "States and transitions",
    found: "`refundedAmount` can be less than the paid amount, but no status exists for it.",
    choice:
      "In the sandbox, a partial refund leaves the transaction `approved` and sends no postback. When everything is refunded, it is `refunded`.",
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
  {
    id: "pix-fields",
    section: "POST /api/v1/transactions",
    found:
      'For a pix, `customer.phone`, `externalRef`, `postbackUrl`, `traceable`, `items`, `ip`, `metadata` and `pix.expiresInDays` are "yes in the endpoint descriptions; optional in the `pix` guide".',
    choice:
      "They are optional on a pix and required on a card, except `pix`, which a card does not have. A `warning` event names those that are missing, once per client and set of fields. The sandbox follows the guide. Send all eight, and both readings accept the request.",
    option: "createGateway({ pixFields: 'endpoint' })",
  },
  {
    id: "installments",
    section: "POST /api/v1/transactions",
    found:
      "Installments are a string in the request and an integer in the response. Their range is not stated. They are for a card (rule 1), but rule 2 forbids only `card` on a pix.",
    choice:
      "A number or a string, 1 or more, is accepted and sent as a string. On a pix, the SDK and the sandbox refuse them: a request that passes the stricter reading passes both.",
  },
  {
    id: "pix-expiry",
    section: "POST /api/v1/transactions",
    found:
      "The service reduces `expiresInDays` above 30. Its minimum, and the time zone in which a day ends, are not stated.",
    choice:
      "It is 1 or more, in the SDK and in the sandbox. It is sent unchanged, with a `warning` event above 30. The sandbox counts days of 24 hours from the creation.",
  },
  {
    id: "metadata",
    section: "POST /api/v1/transactions",
    found:
      'Metadata is "a JSON-encoded string". Its maximum length, and the response to other text, are not stated.',
    choice:
      "An object is converted to JSON. A string that is not JSON is sent with a `warning` event, and the sandbox returns 400 for it. More than 64 kB is refused, which is a limit of the SDK.",
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
      "A `cpf` has 11 characters and a `cnpj` 14, by Brazilian law. The service decides about check digits: a number with wrong ones is sent with a `warning` event, and the sandbox accepts it.",
  },
  {
    id: "unknown-fields",
    section: "POST /api/v1/transactions",
    found: "What the service does with fields that it does not know is not stated.",
    choice:
      "The SDK refuses them as parameters and sends them with `extraBody`. The sandbox ignores them, except `card` and `installments` on a pix and `pix` on a card.",
    option: "extraBody",
  },
  {
    id: "amount-outside-the-limits",
    section: "POST /api/v1/transactions",
    found:
      'An amount outside the company\'s limits is "refused automatically". Whether that is a 400, or a 201 with a refused transaction, is not stated.',
    choice:
      "The SDK supports both and does not check the limits itself. The sandbox refuses a card with 201, and a pix, which cannot be `refused`, with 400. Both limits are allowed amounts. Below 1 cent, both SDK and sandbox refuse every amount.",
    option: "createGateway({ outsideLimits: 'validation' })",
  },
  {
    id: "postback-address",
    section: "POST /api/v1/transactions",
    found: "Which kinds of URL the service can post to is not stated.",
    choice:
      "An absolute http or https URL is sent. An http address causes a `warning` event. So does a loopback address, unless the service itself is on one, as a sandbox is.",
  },
  {
    id: "postback-url-length",
    section: "POST /api/v1/transactions",
    found: "The maximum length of `postbackUrl` is not stated.",
    choice:
      "Above 255 characters, a `warning` event is emitted. A signed URL above 2,048 characters is refused before anything is sent.",
    option: "new PostbackUrlSigner({ maxLength })",
  },
  {
    id: "second-card-path",
    section: "POST /api/v1/transactions",
    found:
      "A second description of card requests uses `/api/v1/transaction/card` with `amount`, `token` and `description`.",
    choice:
      "It is not supported, because it conflicts with the first description and is not described any further.",
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
      "The SDK does not rely on it. With a store, a reference can be used again if its transaction is refused, expired or cancelled, or if no transaction was created. The sandbox accepts a reference again.",
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
    id: "card-data",
    section: "POST /api/v1/card-token",
    found: "The formats of the card number, the name and the security code are not stated.",
    choice:
      "A number has 12 to 19 digits (ISO/IEC 7812-1), a code 3 or 4. The check digit is not verified, because published test cards fail the check.",
  },
  {
    id: "expired-cards",
    section: "POST /api/v1/card-token",
    found: "Whether a card that has expired is refused as a token or as a payment is not stated.",
    choice: "The SDK sends it. The sandbox creates a token for it and refuses the payment.",
  },
  {
    id: "public-key-in-the-address",
    section: "POST /api/v1/card-token",
    found: "The public key is sent in the query string, where proxies and logs can see it.",
    choice: "It is sent as specified, and redacted from every error and event.",
  },
  {
    id: "company-statuses",
    section: "GET /api/v1/company",
    found:
      '"Status codes of this endpoint: not shown", but "Errors" lists 401 for "all authenticated endpoints".',
    choice:
      "401 is an `AuthenticationError`, as everywhere. Any 2xx is a success, and the sandbox sends 200.",
  },
  {
    id: "sellers-pages",
    section: "GET /sellers",
    found:
      "`page` and `limit` are announced but not available, and a page has at most 100 entries. Whether `GET /sellers/revenue` has that limit is not stated.",
    choice:
      "One page is read. At exactly 100 sellers, a `warning` event reports that there may be more. The sandbox returns the revenue of every seller.",
  },
  {
    id: "sellers-path",
    section: "GET /sellers",
    found:
      '"The exact path prefix of the two seller endpoints" is not shown. The headings have none, although the version "is part of the path: `/api/v1/`".',
    choice:
      "The SDK and the sandbox use `/sellers` and `/sellers/revenue` under the base URL, as the headings do.",
    option: "PaymentsClient({ sellersPath }), createGateway({ sellersPath })",
  },
];

/** "Authentication", "Events", "Errors", "Limits" and "Versioning". */
const rest: readonly Assumption[] = [
  {
    id: "sellers-authentication",
    section: "Authentication",
    found:
      "The seller endpoints can return 401, but their authentication scheme is not stated. Rule 2 requires Basic for all other endpoints.",
    choice: "They are called with Basic authentication.",
    option: "PaymentsClient({ sellersAuth })",
  },
  {
    id: "key-rotation",
    section: "Authentication",
    found: "How keys are rotated is not stated.",
    choice:
      "A client never changes its keys: create a new client for new keys. Stored data does not depend on the keys.",
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
    id: "changes-that-are-posted",
    section: "Postback notification",
    found:
      '"Any status change" is posted, but "the stated case" is only the payment of a pix. Expiry has no notification among the stated moves.',
    choice: "The SDK relies on none of them. The sandbox posts every change, the expiry of a pix too.",
    option: "createGateway({ postbacks: { expired: false } })",
  },
  {
    id: "postback-at-creation",
    section: "Postback notification",
    found: "Whether the first status of a transaction counts as a change is not stated.",
    choice: "The first status is in the response. The sandbox sends no postback at creation.",
    option: "createGateway({ postbacks: { onCreation: true } })",
  },
  {
    id: "postback-shape",
    section: "Postback notification",
    found: "One flat body is shown.",
    choice:
      "Only this shape is accepted, with a status of at most 255 characters and a reference of at most 1,000. In an envelope, the `id` at the root could be the id of the delivery, so an envelope is an `InvalidPostbackError`.",
  },
  {
    id: "postback-reference",
    section: "Postback notification",
    found: "A postback carries `externalRef`, which is optional on a pix.",
    choice:
      "`parsePostback` accepts a postback without one. If the URL is signed, it is refused, because nothing proves its order. A transaction with a signed URL requires a reference.",
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
    id: "postback-identity",
    section: "Postback notification",
    found: "A postback has no id of its own.",
    choice:
      "`createPostbackHandler` treats two postbacks as the same if they have the same transaction, status, amount, order and trust. Two partial refunds of the same amount count as one.",
    option: "createPostbackHandler({ store })",
  },
  {
    id: "signed-url-lifetime",
    section: "Postback notification",
    found: "For how long after its creation a transaction may change is not stated.",
    choice: "A signed postback URL is valid for 180 days for a pix and two years for a card.",
    option: "PostbackUrlSigner.sign(url, { expiresAt })",
  },
  {
    id: "event-names",
    section: "Configurable event names",
    found:
      'How the event names relate to postbacks is "not shown". Five statuses have a name, but "any status change" is posted.',
    choice:
      "The company's names are returned as text, and postbacks are distinguished by their `status`. In the sandbox, the names do not limit what is posted.",
    option: "createGateway({ postbacks: { onlyConfiguredEvents: true } })",
  },
  {
    id: "unsigned-postbacks",
    section: "Events",
    found: 'The signature of notifications is "not shown".',
    choice:
      "A postback alone is never trusted, because it does not prove its sender. `PostbackUrlSigner` signs the URL that the service posts to, which proves the order but not the status.",
  },
  {
    id: "postback-retries",
    section: "Events",
    found:
      "Whether, how often and when a postback is sent again after a failure is not stated, and neither is the timeout.",
    choice:
      "Retries are expected. The sandbox waits 10 seconds for a response and sends a postback up to 4 more times, after 1, 2, 4 and 8 seconds.",
    option: "createGateway({ postbacks: { retries, backoffMs, timeoutMs } })",
  },
  {
    id: "postback-order",
    section: "Events",
    found: "Whether postbacks arrive in order and only once is not stated.",
    choice:
      "The SDK does not rely on it: a postback can arrive twice, late, or out of order. The sandbox sends the postbacks of one transaction in order and once. A retry can arrive after a later postback.",
    option: "createGateway({ postbacks: { delayMs, duplicates, reorder } })",
  },
  {
    id: "postback-reply",
    section: "Events",
    found: '"The expected reply from the receiver" is not shown.',
    choice:
      "200 if `onPostback` succeeds or succeeded before. 500 if it failed and 503 if it could not run, so that the service sends the postback again. Another 4xx if a retry cannot help.",
  },
  {
    id: "other-statuses",
    section: "Errors",
    found:
      "Only 200, 201, 400, 401 and 429 are used. A success is listed for tokenization, sellers, revenue and creation, but not for company and status.",
    choice:
      "Any 2xx is a success. 403, 404, 405, 411, 413, 415 and 422 mean that nothing was charged. After any other 4xx and any 5xx, the outcome of creating a transaction is `unknown`. The sandbox adds 404 for an unknown path and 405 for another method.",
  },
  {
    id: "error-bodies",
    section: "Errors",
    found:
      "Error bodies are shown for creating a transaction only. How a `field` names an entry of a list is not stated.",
    choice:
      "`issues` are read from all shapes that similar gateways send, on every endpoint, and the error keeps the body. The sandbox sends the documented shapes on every endpoint, and fields such as `items.0.unitPrice`. On tokenization, a field such as `card.expiration_month` is reported as `expirationMonth`, the name of the input.",
  },
  {
    id: "refusals-with-a-transaction",
    section: "Errors",
    found: "Whether a response other than 2xx can contain a transaction is not stated.",
    choice:
      "The body outranks the status: if it has a transaction's id in the expected place, and not the `externalId` of another order, the outcome is `created` and the error has `transactionId`.",
  },
  {
    id: "rate-limits",
    section: "Limits",
    found: "Limits are stated for the status endpoint only. `Retry-After` is not mentioned.",
    choice:
      "A 429 is recognized on every endpoint. `Retry-After` is read in seconds or as a date, if the service sends it. Reads wait for up to 60 seconds. Without it they wait 15 to 19 seconds, then twice as long, if that leaves 5 seconds of the `timeout`; otherwise the call fails at once. Creating a transaction is never retried. The sandbox limits the status endpoint, and sends `Retry-After`.",
    option: "createGateway({ retryAfter: false })",
  },
  {
    id: "rate-limit-windows",
    section: "Limits",
    found: "Whether the minute and the hour slide, and whether refused requests count, is not stated.",
    choice: "In the sandbox, both windows slide and refused requests do not count.",
  },
  {
    id: "lengths",
    section: "Limits",
    found:
      "The lengths and formats of phone, reference, IP and names, and the maximum number of items, are not stated.",
    choice:
      "Text must not be empty. A reference has at most 1,000 characters, because postbacks with a longer one are not read, and no control characters, which some databases cannot store. An e-mail address contains an `@`. Everything else is left to the service. The sandbox only requires text that is not empty.",
    option: "extraBody",
  },
  {
    id: "versions",
    section: "Versioning",
    found:
      "How another version is selected, when one is retired, and the format of `version` in the status are not stated.",
    choice:
      "The SDK uses `/api/v1`. `status.retrieve` returns the version that the service reports; the sandbox reports `v1`.",
  },
];

/**
 * All gaps and contradictions of the specification, in the order of its sections.
 *
 * docs/specification.md is generated from this list.
 */
export const assumptions: readonly Assumption[] = [...resources, ...transactions, ...rest];
