import type { Assumption } from "./assumption.ts";

/** Where the service is, who may call it, and how often. */
export const serviceAssumptions: readonly Assumption[] = [
  {
    id: "test-environment",
    section: "General rules",
    found: "One description has a test environment, another says that all tests run against production.",
    choice:
      "There is no default base URL. `status.assertEnvironment` makes sure which environment answers, and the sandbox of this package is what to develop against.",
    option: "baseUrl",
  },
  {
    id: "dashboard",
    section: "General rules",
    found:
      "A dashboard is mentioned once, for a button that simulates the payment of a test pix; what it shows is not said.",
    choice:
      "Errors advise a person to look a payment up there, because no endpoint can: it is taken to list the transactions with their amount, status and reference.",
  },
  {
    id: "boleto",
    section: "General rules",
    found: "`boleto` is a flag among the company's payment methods; no endpoint for it exists.",
    choice: "The flag is read on the company. It is no payment method of a create.",
  },
  {
    id: "debit-cards",
    section: "General rules",
    found: "Debit cards are not supported.",
    choice:
      "Nothing in the SDK offers one. A debit card that is tokenized all the same is the service's to refuse.",
  },
  {
    id: "versions",
    section: "Versioning",
    found: "The version is part of the path; how another one is selected, and when one ends, is not shown.",
    choice: "The SDK speaks `/api/v1`. `status.retrieve` tells what version the service says it is.",
  },
  {
    id: "sellers-path",
    section: "Endpoints",
    found: "The path prefix of the two seller endpoints is not shown.",
    choice: "They are looked for at `/sellers` and `/sellers/revenue` under the base URL.",
    option: "sellersPath",
  },
  {
    id: "sellers-authentication",
    section: "Authentication",
    found:
      "The seller endpoints answer 401, but their scheme is not shown; rule 2 gives Basic to all others.",
    choice: "They are called with Basic authentication.",
    option: "sellersAuth",
  },
  {
    id: "sellers-pages",
    section: "GET /sellers",
    found: "`page` and `limit` are announced but unavailable; a page has at most 100 entries.",
    choice: "One page is read. At exactly 100 entries a `warning` event says that there may be more.",
  },
  {
    id: "key-rotation",
    section: "Authentication",
    found: "How keys are renewed is not shown.",
    choice:
      "A client keeps its keys for life: make a new client for new keys. Nothing that is stored is named after a key.",
  },
  {
    id: "public-key-in-the-address",
    section: "POST /api/v1/card-token",
    found: "The public key travels in the query, where proxies and logs see it.",
    choice: "It is sent as the specification says, and struck out of every error and event.",
  },
  {
    id: "cross-origin-tokenization",
    section: "Authentication",
    found:
      "The public key may be exposed in frontends; which headers the service sends to browsers is not shown.",
    choice:
      "Tokenization is expected to be allowed from any origin; the sandbox allows it there and nowhere else. Where no answer came, a page asks the same address once more with a HEAD that holds neither key nor card, to tell CORS from a network that broke.",
  },
  {
    id: "rate-limits",
    section: "Limits",
    found: "Limits are shown for the status endpoint only, and no `Retry-After`.",
    choice:
      "A 429 is understood everywhere, with `Retry-After` in seconds or as a date where it comes. Reads wait for it up to 60 seconds.",
  },
  {
    id: "rate-limit-windows",
    section: "Limits",
    found:
      "Whether the minute and the hour of the status limit slide, and whether refused requests count, is not shown.",
    choice: "In the sandbox both slide, and refused requests do not count.",
  },
  {
    id: "idempotency",
    section: "POST /api/v1/transactions",
    found: "There is no idempotency key, and retrieving, listing, cancelling or refunding is not shown.",
    choice:
      "A create is put on the wire once and never repeated; every error says by `outcome` what became of the charge. `PaymentsClient({ idempotency })` keeps in a store of yours what became of each `externalRef`, so that no other process sends it again. Nothing else is offered.",
  },
  {
    id: "reused-references",
    section: "POST /api/v1/transactions",
    found: "Whether the service refuses an `externalRef` that was used before is not shown.",
    choice:
      "It is not relied on. With a store, a reference may be used again where its transaction is refused, expired or cancelled, or where nothing was created.",
  },
  {
    id: "redirects",
    section: "Endpoints",
    found: "Redirects are not mentioned.",
    choice: "None is followed: it would send the body and the key again. It is a `RedirectError`.",
  },
  {
    id: "request-ids",
    section: "Endpoints",
    found: "No header that names a request is shown.",
    choice:
      "`requestId` is taken from `x-request-id`, `request-id`, `x-correlation-id` or `cf-ray`, where one comes.",
  },
];
