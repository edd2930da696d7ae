import type { PixTransaction, RefusedCardTransaction } from "../contracts/transaction.ts";
import type { CreateCardParams, CreatePixParams, OrderItem } from "../contracts/transaction-params.ts";
import type { Postback } from "../postbacks/parse-postback.ts";
import type { Company } from "../resources/company.ts";
import type { Seller, SellerRevenue } from "../resources/sellers.ts";
import type { ServiceStatus } from "../resources/service-status.ts";
import { PUBLIC_KEY_PARAMETER } from "../spec/endpoints.ts";
import {
  CARD_NUMBER_DIGITS,
  CARD_TOKEN_LIFETIME_MS,
  PIX_EXPIRY_DAYS,
  STATUS_RATE_LIMIT,
} from "../spec/limits.ts";
import { SPELLED_STATUSES } from "../spec/transaction-status.ts";
import {
  COMPANY_STATUSES,
  COMPONENT_STATUSES,
  COMPONENTS,
  DOCUMENT_LENGTHS,
  DOCUMENT_TYPES,
  ENVIRONMENTS,
  EVENT_NAMES,
  PAYMENT_METHODS,
  PUBLIC_KEY_PREFIX,
  SECRET_KEY_PREFIX,
  SELLER_STATUSES,
  SERVICE_STATUSES,
} from "../spec/values.ts";
import type { CardTokenRequest } from "../tokenizer/card.ts";
import { UNAUTHORIZED_EXAMPLE, VALIDATION_ERROR_EXAMPLE } from "./examples.ts";
import { type Described, noted } from "./notes.ts";

/**
 * The bodies of the service, as they are sent over HTTP. They are written from the specification and not made from the
 * client's schemas, which accept more than is sent: an object as `metadata`, a number as `installments`.
 */

type Schema = Described & Readonly<Record<string, unknown>>;

/** Fields that the SDK adds to what the service sends. */
type Added = "raw" | "rawStatus";

/** The fields of a type of the SDK: the compiler reports one that is missing here, or there. */
type FieldsOf<Type> = Readonly<Record<Exclude<keyof Type, Added>, Schema>>;

type Fields = Readonly<Record<string, Schema>>;

/** Other fields are allowed: the specification does not forbid them in requests, and responses may have new ones. */
function object(description: string, properties: Fields, required: readonly string[] = []): Schema {
  return { type: "object", description, properties, ...(required.length > 0 && { required }) };
}

const text = (description: string, more: object = {}): Schema => ({ type: "string", description, ...more });
/** Text that is not empty. */
const filled = (description: string): Schema => text(description, { pattern: "\\S" });
const integer = (description: string, more: object = {}): Schema => ({
  type: "integer",
  description,
  ...more,
});
/** A number that JSON does not round. */
const exact = { maximum: Number.MAX_SAFE_INTEGER };
const cents = (description: string, more: object = {}): Schema =>
  integer(`${description} Cents: 1990 is R$ 19,90.`, more);
const flag = (description: string): Schema => ({ type: "boolean", description });
const list = (description: string, items: object): Schema => ({ type: "array", description, items });
const time = (description: string): Schema => text(`${description} ISO 8601, UTC.`, { format: "date-time" });
const oneOf = (values: Iterable<string>, description: string): Schema =>
  text(description, { enum: [...values] });

/** A condition: an object has a field. Linters expect it among the `properties`, too. */
const having = (name: string) => ({ required: [name], properties: { [name]: {} } });

export const ref = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` });

const orderItem: FieldsOf<OrderItem> = {
  title: filled("Name of the item."),
  unitPrice: cents("Price of one unit.", { minimum: 0, ...exact }),
  quantity: integer("Units.", { minimum: 1, ...exact }),
  tangible: flag("Whether the item is a physical good."),
  product_image: text("URL of an image. May be empty."),
};

const customerDocument: Schema = object(
  "Tax document of the customer.",
  {
    type: oneOf(DOCUMENT_TYPES, "`cpf` of a person, `cnpj` of a company."),
    number: noted(
      text("Digits only, without punctuation: 11 of a `cpf`, 14 of a `cnpj`.", {
        pattern: `^([0-9]{${DOCUMENT_LENGTHS.cpf}}|[0-9]{${DOCUMENT_LENGTHS.cnpj}})$`,
      }),
      "document-length",
      "cnpj-with-letters",
    ),
  },
  ["type", "number"],
);

const customerFields: FieldsOf<CreateCardParams["customer"]> = {
  name: filled("Full name."),
  email: filled("E-mail address."),
  phone: noted(filled("Phone number."), "lengths"),
  document: customerDocument,
};

/** The fields of both methods. */
const commonFields: FieldsOf<Omit<CreatePixParams, "paymentMethod" | "customer" | "pix">> = {
  amount: noted(cents("Total.", { minimum: 1, ...exact }), "smallest-amount", "amount-outside-the-limits"),
  externalRef: noted(
    filled("Reference of the merchant. It is returned as `data.externalId`, and in every postback."),
    "reused-references",
    "names-of-the-reference",
  ),
  postbackUrl: noted(
    text("URL to which the service posts each change of the status.", {
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
    }),
    "postback-address",
    "postback-url-length",
  ),
  traceable: flag("Returned unchanged. Its meaning is not specified."),
  items: noted(
    list("The items of the order.", { $ref: "#/components/schemas/OrderItem" }),
    "items-and-amount",
    "number-of-items",
  ),
  ip: filled("IP address of the customer."),
  metadata: noted(
    text("Additional data of the merchant, as a JSON-encoded string.", {
      contentMediaType: "application/json",
    }),
    "metadata",
  ),
};

const method = (value: (typeof PAYMENT_METHODS)[number]): Schema =>
  noted(text("Selects the method.", { const: value }), "disabled-methods");

const pixRequest: FieldsOf<CreatePixParams> = {
  paymentMethod: method("pix"),
  ...commonFields,
  customer: object("The customer.", customerFields, ["name", "email", "document"]),
  pix: object("Options of the pix code.", {
    expiresInDays: noted(
      integer(
        `Days until the code expires. The service reduces values above ${PIX_EXPIRY_DAYS.max} to ${PIX_EXPIRY_DAYS.max}.`,
        { minimum: 1, ...exact, default: PIX_EXPIRY_DAYS.default },
      ),
      "pix-expiry",
    ),
  }),
};

const cardRequest: FieldsOf<CreateCardParams> = {
  paymentMethod: method("credit_card"),
  ...commonFields,
  customer: object("The customer.", customerFields, Object.keys(customerFields)),
  installments: noted(
    text("Number of installments, as a string.", { pattern: "^[1-9][0-9]*$", maxLength: 15 }),
    "installments",
  ),
  card: object(
    "The card.",
    {
      hash: noted(
        filled(
          `Token of the card, from the tokenization. Valid for ${CARD_TOKEN_LIFETIME_MS / 60_000} minutes; after that a new one is needed.`,
        ),
        "card-token-uses",
      ),
    },
    ["hash"],
  ),
};

const cardTokenRequest: FieldsOf<CardTokenRequest> = {
  number: text("Number of the card.", {
    pattern: `^[0-9]{${CARD_NUMBER_DIGITS.min},${CARD_NUMBER_DIGITS.max}}$`,
  }),
  holderName: filled("Name as on the card."),
  expirationMonth: text("`MM`.", { pattern: "^(0[1-9]|1[0-2])$" }),
  expirationYear: noted(text("`YYYY`.", { pattern: "^[0-9]{4}$" }), "expiry-year"),
  cvv: text("Security code.", { pattern: "^[0-9]{3,4}$" }),
};

const transaction: FieldsOf<PixTransaction & RefusedCardTransaction> = {
  id: integer("Identifier of the transaction."),
  status: noted(
    oneOf(SPELLED_STATUSES, "State of the payment. Only `approved` means paid."),
    "cancelled",
    "unknown-statuses",
    "status-by-method",
  ),
  refusedReason: noted(
    text("Why a card was refused, as text for people. Only on refused transactions."),
    "refused-reason",
  ),
  amount: cents("Total."),
  companyId: integer("Company that owns the transaction."),
  installments: integer("Number of installments. A string in the request."),
  refusedAmount: cents("Equals `amount` if a card was refused, otherwise 0."),
  paidAmount: noted(cents("0 at creation."), "paid-amount-at-creation"),
  refundedAmount: noted(cents("0 at creation."), "partial-refunds"),
  paymentMethod: oneOf(PAYMENT_METHODS, "The method."),
  metadata: noted(text("The `metadata` of the request."), "fields-in-one-example"),
  acquirerType: noted(text("Kind of payment processor."), "open-enumerations"),
  secureId: text("Identifier of the hosted checkout."),
  secureUrl: noted(text("URL of the hosted checkout.", { format: "uri" }), "hosted-checkout"),
  externalId: noted(text("The `externalRef` of the request."), "answers-of-other-orders"),
  customer: object("The customer of the request.", {
    name: text("Full name."),
    email: text("E-mail address."),
    phone: text("Phone number."),
    document: object("Tax document.", {
      type: text("`cpf` or `cnpj`."),
      number: text("Number of the document."),
    }),
    externalRef: noted(text("The `externalRef` of the request."), "fields-in-one-example"),
  } satisfies FieldsOf<PixTransaction["customer"]>),
  pix: object(
    "What the customer pays with. Only for a pix.",
    {
      qrcode: text("QR code as a PNG data URI, for the source of an image."),
      qrcodeText: text("Code to copy and paste."),
      expirationDate: time("When the code expires."),
    } satisfies FieldsOf<PixTransaction["pix"]>,
    ["qrcodeText"],
  ),
  traceable: flag("As in the request."),
  fees: noted(cents("The fee."), "fees"),
  postBackUrl: noted(text("The `postbackUrl` of the request."), "names-of-the-postback-url"),
  createdAt: time("When it was created."),
};

const company: FieldsOf<Company> = {
  id: integer("Identifier of the company."),
  name: text("Legal name."),
  tradingName: text("Trade name."),
  document: object("Tax document.", {
    type: oneOf(DOCUMENT_TYPES, "Kind of document."),
    number: text("Number of the document."),
  } satisfies FieldsOf<Company["document"]>),
  status: oneOf(
    COMPANY_STATUSES,
    "`active`: operational. `pending`: onboarding in progress. `suspended`: operations temporarily suspended.",
  ),
  createdAt: text("When the account was created."),
  paymentMethods: object("Which methods are enabled.", {
    credit_card: flag("Payments with a credit card."),
    pix: flag("Payments by pix."),
    boleto: noted(flag("Only a flag."), "boleto"),
  } satisfies FieldsOf<Company["paymentMethods"]>),
  limits: object("Limits of the amount of a transaction.", {
    transactionMaxAmount: cents("The highest amount."),
    transactionMinAmount: cents("The lowest amount."),
  } satisfies FieldsOf<Company["limits"]>),
  configuration: object("Settings of the company.", {
    webhook: object("The global webhook.", {
      url: noted(text("Global notification URL."), "company-webhook"),
      events: noted(
        list("Names of the configured events.", oneOf(EVENT_NAMES, "Name of an event.")),
        "event-names",
      ),
    } satisfies FieldsOf<Company["configuration"]["webhook"]>),
    notificationEmail: text("E-mail address for notifications."),
    autoCapture: noted(
      flag("Automatic capture, as the service names it; not explained."),
      "company-settings",
    ),
    antifraudEnabled: noted(flag("Anti-fraud, as the service names it; not explained."), "company-settings"),
  } satisfies FieldsOf<Company["configuration"]>),
  settlement: object("Where and when the service pays out.", {
    bank: object("The account for payouts.", {
      code: text("Bank code."),
      branch: text("Branch."),
      account: text("Account."),
    } satisfies FieldsOf<Company["settlement"]["bank"]>),
    schedule: text("Settlement term, such as D+1, D+2 or D+30."),
    automaticTransfer: flag("Whether transfers are automatic."),
  } satisfies FieldsOf<Company["settlement"]>),
};

const perComponent = (description: string, schema: Schema): Schema =>
  object(description, Object.fromEntries(COMPONENTS.map((component) => [component, schema])));

const serviceStatus: FieldsOf<ServiceStatus> = {
  status: oneOf(SERVICE_STATUSES, "Health of the whole service."),
  timestamp: text("When it was checked. ISO 8601.", { format: "date-time" }),
  version: text("Current version of the API."),
  environment: oneOf(ENVIRONMENTS, "Which environment responds."),
  services: perComponent("Health of each component.", oneOf(COMPONENT_STATUSES, "Health of the component.")),
  latency: perComponent("Latency of each component.", integer("Milliseconds.")),
};

const seller: FieldsOf<Seller> = {
  id: text("Identifier of the seller."),
  name: text("Name."),
  document: text("Formatted CPF or CNPJ."),
  status: noted(oneOf(SELLER_STATUSES, "State of the seller."), "seller-status"),
};

const reais = (description: string): Schema => ({
  type: "number",
  description: `${description} Decimal, BRL.`,
});

const sellerRevenue: FieldsOf<SellerRevenue> = {
  seller_id: text("Identifier of the seller."),
  seller_name: text("Name."),
  revenue: noted(
    object("In reais, unlike every other amount.", {
      total: reais("Since the seller started operating."),
      month: reais("In the current month."),
    } satisfies FieldsOf<SellerRevenue["revenue"]>),
    "revenue-units",
    "revenue-of-whom",
  ),
};

const postback: FieldsOf<Postback> = {
  id: integer("Identifier of the transaction."),
  status: oneOf(SPELLED_STATUSES, "The new status, for example `approved`."),
  externalRef: noted(text("The `externalRef` of the request."), "postback-reference"),
  amount: noted(cents("Amount."), "postback-amount"),
  transactionDate: noted(time("Time of the transaction."), "postback-date"),
};

export const schemas = {
  CreateTransactionRequest: {
    description: "`paymentMethod` selects the method.",
    oneOf: [
      { $ref: "#/components/schemas/PixTransactionRequest" },
      { $ref: "#/components/schemas/CardTransactionRequest" },
    ],
    discriminator: {
      propertyName: "paymentMethod",
      mapping: {
        pix: "#/components/schemas/PixTransactionRequest",
        credit_card: "#/components/schemas/CardTransactionRequest",
      },
    },
  },
  PixTransactionRequest: noted(
    {
      ...object(
        "A pix. Required is what the pix guide requires; `card` and `installments` are not sent.",
        pixRequest,
        ["paymentMethod", "amount", "customer"],
      ),
      not: { anyOf: [having("card"), having("installments")] },
    },
    "pix-fields",
  ),
  CardTransactionRequest: {
    ...object(
      "A payment with a credit card. Everything is required; `pix` is not sent.",
      cardRequest,
      Object.keys(cardRequest),
    ),
    not: having("pix"),
  },
  OrderItem: object(
    "An item of the order.",
    orderItem,
    Object.keys(orderItem).filter((name) => name !== "product_image"),
  ),
  CardTokenRequest: noted(
    object("A credit card.", cardTokenRequest, Object.keys(cardTokenRequest)),
    "card-data",
    "debit-cards",
  ),
  CardToken: noted(
    text(
      `A JWT. Valid for ${CARD_TOKEN_LIFETIME_MS / 60_000} minutes, and only for a transaction of the account that requested it.`,
      { pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$" },
    ),
    "card-token-life",
  ),
  TransactionResponse: object(
    "The envelope of a transaction.",
    {
      success: flag("`true` on success."),
      message: text("Text for people."),
      status: noted(integer("Code like that of HTTP: 201."), "envelope-status"),
      data: { description: "The transaction.", $ref: "#/components/schemas/Transaction" },
    },
    ["success", "data"],
  ),
  Transaction: object("A transaction.", transaction, ["id", "status", "amount", "paymentMethod"]),
  CompanyResponse: object(
    "The envelope of a company.",
    {
      success: flag("`true` on success."),
      data: { description: "The company.", $ref: "#/components/schemas/Company" },
    },
    ["success", "data"],
  ),
  Company: noted(object("The calling company.", company, ["id"]), "open-enumerations"),
  ServiceStatus: noted(
    object("Health of the service.", serviceStatus, ["status", "environment"]),
    "open-enumerations",
  ),
  Seller: noted(object("A seller.", seller, ["id"]), "open-enumerations"),
  SellerRevenue: object("Revenue of a seller.", sellerRevenue, ["seller_id", "revenue"]),
  Postback: noted(
    object("A change of the status of a transaction.", postback, ["id", "status", "amount"]),
    "postback-shape",
    "postback-identity",
  ),
  Failure: object("Why a request failed.", { success: flag("`false`."), message: text("Text for people.") }, [
    "success",
    "message",
  ]),
  ValidationFailure: object(
    "Every field that is not valid.",
    {
      success: flag("`false`."),
      message: text("`Validation Error`."),
      errors: list(
        "One entry for each problem.",
        object(
          "A problem.",
          { field: text("Dotted path to the field."), message: text("What is wrong with it.") },
          ["field", "message"],
        ),
      ),
    },
    ["success", "message", "errors"],
  ),
} as const;

const failure = (description: string, schema: keyof typeof schemas, example: object) =>
  noted({ description, content: { "application/json": { schema: ref(schema), example } } }, "error-bodies");

export const responses = {
  400: failure("Invalid data.", "ValidationFailure", VALIDATION_ERROR_EXAMPLE),
  401: failure("The keys are missing or wrong.", "Failure", UNAUTHORIZED_EXAMPLE),
  429: {
    ...failure(
      `Too many requests: an IP address may send ${STATUS_RATE_LIMIT.perMinute} in a minute and ${STATUS_RATE_LIMIT.perHour} in an hour.`,
      "Failure",
      { success: false, message: "Too Many Requests" },
    ),
    headers: {
      "Retry-After": noted(
        { description: "Seconds until the next request is allowed.", schema: { type: "string" } },
        "rate-limits",
      ),
    },
  },
} as const;

export const securitySchemes = {
  basic: noted(
    {
      type: "http",
      scheme: "basic",
      description: `The user is the secret key (\`${SECRET_KEY_PREFIX}\`), the password the public key (\`${PUBLIC_KEY_PREFIX}\`). Both together give full access: they stay on the merchant's server.`,
    },
    "key-rotation",
  ),
  publicKey: noted(
    {
      type: "apiKey",
      in: "query",
      name: PUBLIC_KEY_PARAMETER,
      description: `The public key (\`${PUBLIC_KEY_PREFIX}\`), which may be exposed in frontends.`,
    },
    "public-key-in-the-address",
  ),
} as const;
