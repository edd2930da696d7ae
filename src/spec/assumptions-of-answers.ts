import type { Assumption } from "./assumption.ts";

/** What comes back. */
export const answerAssumptions: readonly Assumption[] = [
  {
    id: "envelope-status",
    section: "Transaction (response envelope)",
    found: "The envelope's `status` is 201 in most examples and 1 in one.",
    choice: "It is not looked at: the HTTP status and `success` count.",
  },
  {
    id: "cancelled",
    section: "States and transitions",
    found: "The status is written `cancelled` and, for a pix and in the event name, `canceled`.",
    choice: "Both are read as `cancelled`; `rawStatus` keeps the spelling. The sandbox writes `cancelled`.",
  },
  {
    id: "unknown-statuses",
    section: "States and transitions",
    found:
      "Gateways of this family were seen to send `paid`, `waiting_payment`, `chargeback` and upper case.",
    choice:
      "These are read as `approved`, `pending` and `chargedback`, whatever their case. Any other text is `unrecognized`, and never taken for paid.",
  },
  {
    id: "status-by-method",
    section: "States and transitions",
    found:
      "`refused`, `processing` and `chargedback` stand in the card list only, `expired` in that of the pix.",
    choice:
      "The SDK reads any status on either method: a pix can be charged back in practice. The sandbox keeps to the lists.",
  },
  {
    id: "moves-out-of-approved",
    section: "States and transitions",
    found: "No move out of `approved` is shown, for `refunded` and `chargedback` neither.",
    choice:
      "They are expected to follow `approved`, of a pix too: `checkTransition` calls both an `advance`. In the sandbox `refund` and, on a card, `chargeback` start from `approved` only.",
  },
  {
    id: "other-moves",
    section: "States and transitions",
    found: "No move to `cancelled`, and none out of `processing`, is shown.",
    choice:
      "In the sandbox a pending pix and a processing card can be cancelled or paid; card numbers of its table are approved or refused after a while.",
  },
  {
    id: "partial-refunds",
    section: "States and transitions",
    found: "`refundedAmount` can be less than what was paid, but there is no status for it.",
    choice:
      "In the sandbox a part leaves the transaction `approved` and posts nothing; once nothing is left it is `refunded`.",
  },
  {
    id: "refused-reason",
    section: "Transaction (`data`)",
    found: "The values of `refusedReason` are not shown; it was seen empty, null and as an object.",
    choice:
      "It is a text for people. On a refused card it is always there: `unspecified` where the service gave none.",
  },
  {
    id: "names-of-the-postback-url",
    section: "Transaction (`data`)",
    found: "The request has `postbackUrl`, the answer `postBackUrl`.",
    choice: "Each is kept as the service spells it.",
  },
  {
    id: "names-of-the-reference",
    section: "Transaction (`data`)",
    found:
      "The request has `externalRef`, the answer `externalId`, and one example `customer.externalRef` too.",
    choice: "Each is kept as the service spells it. Errors and postbacks say `externalRef`.",
  },
  {
    id: "fields-in-one-example",
    section: "Transaction (`data`)",
    found: "`metadata`, `postBackUrl` and `customer.externalRef` stand in one example only.",
    choice: "Their absence is no `drift` event.",
  },
  {
    id: "open-enumerations",
    section: "Resources and their fields",
    found: "The values of `acquirerType` are not shown, and lists of others may grow.",
    choice:
      "Enumerations of company, health and sellers stay text. Only a transaction's status is a closed list.",
  },
  {
    id: "hosted-checkout",
    section: "Transaction (`data`)",
    found: "`secureUrl` is the hosted checkout; what it does is not shown.",
    choice: "It is passed on as it came. In the sandbox it is a page that shows the transaction and pays it.",
  },
  {
    id: "content-types",
    section: "General rules",
    found: "The content types of answers are not shown.",
    choice: "An answer is read by its content, whatever its content type says.",
  },
  {
    id: "other-statuses",
    section: "Errors",
    found: "Only 200, 201, 400, 401 and 429 are shown; those of the company endpoint not at all.",
    choice:
      "Any 2xx is a success. 403, 404, 405, 411, 413, 415 and 422 say that nothing was charged; every other 4xx, and any 5xx, leaves a create `unknown`.",
  },
  {
    id: "refusals-with-a-transaction",
    section: "Errors",
    found: "Whether an answer other than 2xx can hold a transaction is not shown.",
    choice:
      "The body outranks the status: with the id of a transaction where a transaction has it, and no other order's `externalId`, the create is `created` and the error has `transactionId`.",
  },
  {
    id: "answers-of-other-orders",
    section: "Transaction (`data`)",
    found: "`externalId` is the `externalRef` that was sent. What another one means is not shown.",
    choice:
      "It is not the answer to this create, whatever its status, and `nodeTransport` does not use its connection again: the create is `unknown`, without a `transactionId`. Missing or empty, it means nothing; another `amount` is a `drift` event.",
  },
  {
    id: "error-bodies",
    section: "Errors",
    found: "Error bodies of all endpoints but the create are not shown.",
    choice:
      "`issues` are read from any of the shapes that were seen; the body stays on the error. On tokenization a field such as `card.expiration_month` is told as `expirationMonth`, the input that it belongs to.",
  },
  {
    id: "card-token-life",
    section: "Card token",
    found: "A token is a JWT that is valid for 5 minutes; its claims are not shown.",
    choice:
      "Its span (`exp` less `iat`) counts from its receipt, else five minutes do. Claims are read and never trusted; an opaque token is a token.",
  },
  {
    id: "card-token-uses",
    section: "Card token",
    found: "Whether a token can be used more than once is not said.",
    choice: "Neither does the SDK say so; the sandbox takes a token again.",
  },
  {
    id: "revenue-units",
    section: "Seller revenue (list entry)",
    found: "Revenue is decimal BRL, unlike every other amount.",
    choice: "It stays as it comes; `toCents` makes cents of it without float arithmetic.",
  },
  {
    id: "revenue-of-whom",
    section: "Seller revenue (list entry)",
    found:
      "Nothing ties a transaction to a seller, and whether refunds and chargebacks lower revenue is not said.",
    choice:
      "In the sandbox payments belong to the first seller, in the month in which they were approved, less what was refunded; a chargeback takes off the rest.",
    option: "createGateway({ sellers })",
  },
  {
    id: "paid-amount-at-creation",
    section: "Transaction (`data`)",
    found: "`paidAmount` is 0 at creation; whether also on a card that is approved at once is not said.",
    choice: "The sandbox answers 0. Only `status` tells whether a payment is approved.",
  },
  {
    id: "fees",
    section: "Transaction (`data`)",
    found: "`fees` are cents; how they come about is not shown.",
    choice: "The sandbox takes 3.99 % of a card payment and 0.99 % of a pix, and nothing of a refused one.",
  },
];
