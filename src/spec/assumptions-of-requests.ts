import type { Assumption } from "./assumption.ts";

/** What is sent. */
export const requestAssumptions: readonly Assumption[] = [
  {
    id: "second-card-path",
    section: "POST /api/v1/transactions",
    found:
      "A second description of card requests uses `/api/v1/transaction/card` with `amount`, `token` and `description`.",
    choice:
      "It is recorded here and not offered: it conflicts with the first and is not described any further.",
  },
  {
    id: "pix-fields",
    section: "POST /api/v1/transactions",
    found:
      "The endpoint calls phone, reference, postback URL, items, IP and metadata of a pix required, its guide optional.",
    choice: "They are optional on a pix and required on a card. The sandbox follows the guide.",
    option: "createGateway({ pixFields: 'endpoint' })",
  },
  {
    id: "amount-outside-the-limits",
    section: "POST /api/v1/transactions",
    found:
      'An amount outside the company\'s limits is "refused automatically": by a 400, or by a 201 that is refused.',
    choice:
      "The SDK understands both and checks neither limit itself. The sandbox refuses a card with 201 and a pix, which cannot be `refused`, with 400.",
    option: "createGateway({ outsideLimits: 'validation' })",
  },
  {
    id: "cnpj-with-letters",
    section: "POST /api/v1/transactions",
    found: 'A document number is "digits only", but a CNPJ may have letters since July 2026.',
    choice:
      "Punctuation is taken out and letters are kept; a CNPJ with letters is sent with a `warning` event. The sandbox refuses it.",
    option: "createGateway({ alphanumericCnpj: true })",
  },
  {
    id: "document-length",
    section: "POST /api/v1/transactions",
    found: "The length of a document number is not shown, nor whether its check digits are checked.",
    choice: "A `cpf` has 11 places and a `cnpj` 14, by Brazilian law. Check digits are left to the service.",
  },
  {
    id: "installments",
    section: "POST /api/v1/transactions",
    found: "Installments are a string in the request and an integer in the answer; their range is not shown.",
    choice: "A number or a string of one or more is taken and sent as a string.",
  },
  {
    id: "metadata",
    section: "POST /api/v1/transactions",
    found: "Metadata is a JSON-encoded string of no shown length.",
    choice:
      "An object becomes JSON; a string that is not JSON is sent with a `warning` event. More than 64 kB is refused, a limit of ours.",
  },
  {
    id: "lengths",
    section: "Limits",
    found: "Lengths and formats of phone, reference, IP, names and the number of items are not shown.",
    choice:
      "Text must not be empty; a reference has at most 1,000 characters, because postbacks are read no further, and no control characters, which not every database keeps; more is left to the service. An e-mail address has an `@`.",
    option: "extraBody",
  },
  {
    id: "items-and-amount",
    section: "Order item",
    found: "Whether the items have to add up to the amount is not said.",
    choice: "Where they do not, a `warning` event says so; discounts and shipping are good reasons.",
  },
  {
    id: "pix-expiry",
    section: "POST /api/v1/transactions",
    found: "`expiresInDays` above 30 is reduced by the service; in which time zone a day ends is not shown.",
    choice:
      "It is sent as it is, with a `warning` event above 30. The sandbox counts days of 24 hours from creation.",
  },
  {
    id: "postback-address",
    section: "POST /api/v1/transactions",
    found: "What kinds of URL the service can post to is not shown.",
    choice: "An absolute http or https URL is sent; http and loopback addresses give a `warning` event.",
  },
  {
    id: "card-data",
    section: "POST /api/v1/card-token",
    found: "The formats of number, name and security code are not shown.",
    choice:
      "A number has 12 to 19 digits (ISO/IEC 7812-1) and a code 3 or 4. The check digit is not enforced, because published test cards fail it.",
  },
  {
    id: "disabled-methods",
    section: "Company",
    found: "What a payment gets whose method is not enabled for the company is not shown.",
    choice: "The SDK does not look before it sends. The sandbox answers 400 on `paymentMethod`.",
    option: "createGateway({ company: { paymentMethods: { pix: false } } })",
  },
];
