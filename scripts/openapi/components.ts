import type { PixTransaction, RefusedCardTransaction } from "../../src/contracts/transaction.ts";
import type { CreateCardParams, CreatePixParams, OrderItem } from "../../src/contracts/transaction-params.ts";
import type { Postback } from "../../src/postbacks/parse-postback.ts";
import type { Company } from "../../src/resources/company.ts";
import type { Seller, SellerRevenue } from "../../src/resources/sellers.ts";
import type { ServiceStatus } from "../../src/resources/service-status.ts";
import { PUBLIC_KEY_PARAMETER } from "../../src/spec/endpoints.ts";
import * as limits from "../../src/spec/limits.ts";
import { SPELLED_STATUSES } from "../../src/spec/transaction-status.ts";
import * as values from "../../src/spec/values.ts";
import type { CardTokenRequest } from "../../src/tokenizer/tokenize.ts";
import { noted } from "./assumptions.ts";
import { UNAUTHORIZED_EXAMPLE, VALIDATION_ERROR_EXAMPLE } from "./examples.ts";

/**
 * The bodies of the service, as they are sent over HTTP. They are written from the specification and not made from the
 * client's schemas, which accept more than is sent: an object as `metadata`, a number as `installments`.
 */

type Schema = { readonly description: string } & Readonly<Record<string, unknown>>;

/** Fields that the SDK adds to what the service sends. */
type Added = "raw" | "rawStatus";

/** The fields of a type of the SDK: the compiler reports one that is missing here, or there. */
type FieldsOf<Type> = Readonly<Record<Exclude<keyof Type, Added>, Schema>>;

/** @param notes - Ids of assumptions. */
function schema(type: string, description: string, keywords: object, notes: string): Schema {
  return noted({ type, description, ...keywords }, notes);
}

const text = (description: string, keywords: object = {}, notes = "") =>
  schema("string", description, keywords, notes);
/** Text that is not empty. */
const filled = (description: string, notes = "") => text(description, { pattern: "\\S" }, notes);
const integer = (description: string, keywords: object = {}, notes = "") =>
  schema("integer", description, keywords, notes);
/** A number that JSON does not round. */
const exact = { maximum: Number.MAX_SAFE_INTEGER };
const cents = (description: string, keywords: object = {}, notes = "") =>
  integer(`${description} Cents: 1990 is R$ 19,90.`, keywords, notes);
const reais = (description: string) => schema("number", `${description} Decimal, BRL.`, {}, "");
const flag = (description: string, notes = "") => schema("boolean", description, {}, notes);
const list = (description: string, items: object, notes = "") =>
  schema("array", description, { items }, notes);
const time = (description: string, notes = "") =>
  text(`${description} ISO 8601, UTC.`, { format: "date-time" }, notes);
const oneOf = (options: Iterable<string>, description: string, notes = "") =>
  text(description, { enum: [...options] }, notes);

/** Other fields are allowed: the specification does not forbid them in requests, and responses may have new ones. */
function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
  notes = "",
): Schema {
  return schema("object", description, { properties, ...(required.length > 0 && { required }) }, notes);
}

/** A condition: an object has a field. Linters expect it among the `properties`, too. */
const having = (name: string) => ({ required: [name], properties: { [name]: {} } });

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const orderItem: FieldsOf<OrderItem> = {
  title: filled("Name of the item."),
  unitPrice: cents("Price of one unit.", { minimum: 0, ...exact }),
  quantity: integer("Units.", { minimum: 1, ...exact }),
  tangible: flag("Whether the item is a physical good."),
  product_image: text("URL of an image. May be empty."),
};

const { cpf, cnpj } = values.DOCUMENT_LENGTHS;
const customerDocument = {
  type: oneOf(values.DOCUMENT_TYPES, "`cpf` of a person, `cnpj` of a company."),
  number: text(
    "Digits only, without punctuation: 11 of a `cpf`, 14 of a `cnpj`.",
    { pattern: `^([0-9]{${cpf}}|[0-9]{${cnpj}})$` },
    "document-length cnpj-with-letters",
  ),
};

const customerFields: FieldsOf<CreateCardParams["customer"]> = {
  name: filled("Full name."),
  email: filled("E-mail address."),
  phone: filled("Phone number.", "lengths"),
  document: object("Tax document of the customer.", customerDocument, ["type", "number"]),
};

/** The fields of both methods. */
const commonFields: FieldsOf<Omit<CreatePixParams, "paymentMethod" | "customer" | "pix">> = {
  amount: cents("Total.", { minimum: 1, ...exact }, "amount-outside-the-limits"),
  externalRef: filled(
    "Reference of the merchant. It is returned as `data.externalId`, and in every postback.",
    "reused-references names-of-the-reference",
  ),
  postbackUrl: text(
    "URL to which the service posts each change of the status.",
    { pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" },
    "postback-address postback-url-length",
  ),
  traceable: flag("Returned unchanged. Its meaning is not specified."),
  items: list("The items of the order.", ref("OrderItem"), "items-and-amount"),
  ip: filled("IP address of the customer."),
  metadata: text(
    "Additional data of the merchant, as a JSON-encoded string.",
    { contentMediaType: "application/json" },
    "metadata",
  ),
};

const method = (value: (typeof values.PAYMENT_METHODS)[number]) =>
  text("Selects the method.", { const: value });

const { default: days, max: maxDays } = limits.PIX_EXPIRY_DAYS;
const pixRequest: FieldsOf<CreatePixParams> = {
  paymentMethod: method("pix"),
  ...commonFields,
  customer: object("The customer.", customerFields, ["name", "email", "document"]),
  pix: object("Options of the pix code.", {
    expiresInDays: integer(
      `Days until the code expires. The service reduces values above ${maxDays} to ${maxDays}.`,
      { minimum: 1, ...exact, default: days },
      "pix-expiry",
    ),
  }),
};

const tokenMinutes = limits.CARD_TOKEN_LIFETIME_MS / 60_000;
const cardHash = filled(
  `Token of the card, from the tokenization. Valid for ${tokenMinutes} minutes; after that a new one is needed.`,
  "card-token-uses",
);
const cardRequest: FieldsOf<CreateCardParams> = {
  paymentMethod: method("credit_card"),
  ...commonFields,
  customer: object("The customer.", customerFields, Object.keys(customerFields)),
  installments: text(
    "Number of installments, as a string.",
    { pattern: "^[1-9][0-9]*$", maxLength: 15 },
    "installments",
  ),
  card: object("The card.", { hash: cardHash }, ["hash"]),
};

const { min: minDigits, max: maxDigits } = limits.CARD_NUMBER_DIGITS;
const cardTokenRequest: FieldsOf<CardTokenRequest> = {
  number: text("Number of the card.", { pattern: `^[0-9]{${minDigits},${maxDigits}}$` }),
  holderName: filled("Name as on the card."),
  expirationMonth: text("`MM`.", { pattern: "^(0[1-9]|1[0-2])$" }),
  expirationYear: text("`YYYY`.", { pattern: "^[0-9]{4}$" }, "expiry-year"),
  cvv: text("Security code.", { pattern: "^[0-9]{3,4}$" }),
};

const transaction: FieldsOf<PixTransaction & RefusedCardTransaction> = {
  id: integer("Identifier of the transaction."),
  status: oneOf(
    SPELLED_STATUSES,
    "State of the payment. Only `approved` means paid.",
    "cancelled unknown-statuses status-by-method",
  ),
  refusedReason: text(
    "Why a card was refused, as text for people. Only on refused transactions.",
    {},
    "refused-reason",
  ),
  amount: cents("Total."),
  companyId: integer("Company that owns the transaction."),
  installments: integer("Number of installments. A string in the request."),
  refusedAmount: cents("Equals `amount` if a card was refused, otherwise 0."),
  paidAmount: cents("0 at creation."),
  refundedAmount: cents("0 at creation.", {}, "partial-refunds"),
  paymentMethod: oneOf(values.PAYMENT_METHODS, "The method."),
  metadata: text("The `metadata` of the request.", {}, "fields-in-one-example"),
  acquirerType: text("Kind of payment processor.", {}, "open-enumerations"),
  secureId: text("Identifier of the hosted checkout."),
  secureUrl: text("URL of the hosted checkout.", { format: "uri" }, "hosted-checkout"),
  externalId: text("The `externalRef` of the request.", {}, "answers-of-other-orders"),
  customer: object("The customer of the request.", {
    name: text("Full name."),
    email: text("E-mail address."),
    phone: text("Phone number."),
    document: object("Tax document.", {
      type: text("`cpf` or `cnpj`."),
      number: text("Number of the document."),
    }),
    externalRef: text("The `externalRef` of the request.", {}, "fields-in-one-example"),
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
  fees: cents("The fee."),
  postBackUrl: text("The `postbackUrl` of the request."),
  createdAt: time("When it was created."),
};

const company: FieldsOf<Company> = {
  id: integer("Identifier of the company."),
  name: text("Legal name."),
  tradingName: text("Trade name."),
  document: object("Tax document.", {
    type: oneOf(values.DOCUMENT_TYPES, "Kind of document."),
    number: text("Number of the document."),
  } satisfies FieldsOf<Company["document"]>),
  status: oneOf(
    values.COMPANY_STATUSES,
    "`active`: operational. `pending`: onboarding in progress. `suspended`: operations temporarily suspended.",
  ),
  createdAt: text("When the account was created."),
  paymentMethods: object("Which methods are enabled.", {
    credit_card: flag("Payments with a credit card."),
    pix: flag("Payments by pix."),
    boleto: flag("Only a flag."),
  } satisfies FieldsOf<Company["paymentMethods"]>),
  limits: object("Limits of the amount of a transaction.", {
    transactionMaxAmount: cents("The highest amount."),
    transactionMinAmount: cents("The lowest amount."),
  } satisfies FieldsOf<Company["limits"]>),
  configuration: object("Settings of the company.", {
    webhook: object("The global webhook.", {
      url: text("Global notification URL."),
      events: list(
        "Names of the configured events.",
        oneOf(values.EVENT_NAMES, "Name of an event."),
        "event-names",
      ),
    } satisfies FieldsOf<Company["configuration"]["webhook"]>),
    notificationEmail: text("E-mail address for notifications."),
    autoCapture: flag("Automatic capture, as the service names it; not explained."),
    antifraudEnabled: flag("Anti-fraud, as the service names it; not explained."),
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

const perComponent = (description: string, each: Schema) =>
  object(description, Object.fromEntries(values.COMPONENTS.map((component) => [component, each])));

const serviceStatus: FieldsOf<ServiceStatus> = {
  status: oneOf(values.SERVICE_STATUSES, "Health of the whole service."),
  timestamp: text("When it was checked. ISO 8601.", { format: "date-time" }),
  version: text("Current version of the API."),
  environment: oneOf(values.ENVIRONMENTS, "Which environment responds."),
  services: perComponent(
    "Health of each component.",
    oneOf(values.COMPONENT_STATUSES, "Health of the component."),
  ),
  latency: perComponent("Latency of each component.", integer("Milliseconds.")),
};

const seller: FieldsOf<Seller> = {
  id: text("Identifier of the seller."),
  name: text("Name."),
  document: text("Formatted CPF or CNPJ."),
  status: oneOf(values.SELLER_STATUSES, "State of the seller."),
};

const revenue: FieldsOf<SellerRevenue["revenue"]> = {
  total: reais("Since the seller started operating."),
  month: reais("In the current month."),
};
const sellerRevenue: FieldsOf<SellerRevenue> = {
  seller_id: text("Identifier of the seller."),
  seller_name: text("Name."),
  revenue: object("In reais, unlike every other amount.", revenue, [], "revenue-units"),
};

const postback: FieldsOf<Postback> = {
  id: integer("Identifier of the transaction."),
  status: oneOf(SPELLED_STATUSES, "The new status, for example `approved`."),
  externalRef: text("The `externalRef` of the request."),
  amount: cents("Amount.", {}, "postback-amount"),
  transactionDate: time("Time of the transaction."),
};

const success = flag("`true` on success.");
const isFailure = flag("`false`.");
const problem = { field: text("Dotted path to the field."), message: text("What is wrong with it.") };

export const schemas = {
  CreateTransactionRequest: {
    description: "`paymentMethod` selects the method.",
    oneOf: [ref("PixTransactionRequest"), ref("CardTransactionRequest")],
    discriminator: {
      propertyName: "paymentMethod",
      mapping: { pix: ref("PixTransactionRequest").$ref, credit_card: ref("CardTransactionRequest").$ref },
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
  OrderItem: object("An item of the order.", orderItem, ["title", "unitPrice", "quantity", "tangible"]),
  CardTokenRequest: object("A credit card.", cardTokenRequest, Object.keys(cardTokenRequest), "card-data"),
  CardToken: text(
    `A JWT. Valid for ${tokenMinutes} minutes, and only for a transaction of the account that requested it.`,
    { pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$" },
    "card-token-life",
  ),
  TransactionResponse: object(
    "The envelope of a transaction.",
    {
      success,
      message: text("Text for people."),
      status: integer("Code like that of HTTP: 201.", {}, "envelope-status"),
      data: { description: "The transaction.", ...ref("Transaction") },
    },
    ["success", "data"],
  ),
  Transaction: object("A transaction.", transaction, ["id", "status", "amount", "paymentMethod"]),
  CompanyResponse: object(
    "The envelope of a company.",
    { success, data: { description: "The company.", ...ref("Company") } },
    ["success", "data"],
  ),
  Company: object("The calling company.", company, ["id"], "open-enumerations"),
  ServiceStatus: object(
    "Health of the service.",
    serviceStatus,
    ["status", "environment"],
    "open-enumerations",
  ),
  Seller: object("A seller.", seller, ["id"], "open-enumerations"),
  SellerRevenue: object("Revenue of a seller.", sellerRevenue, ["seller_id", "revenue"]),
  Postback: object(
    "A change of the status of a transaction.",
    postback,
    ["id", "status", "amount"],
    "postback-shape postback-identity",
  ),
  Failure: object("Why a request failed.", { success: isFailure, message: text("Text for people.") }, [
    "success",
    "message",
  ]),
  ValidationFailure: object(
    "Every field that is not valid.",
    {
      success: isFailure,
      message: text("`Validation Error`."),
      errors: list("One entry for each problem.", object("A problem.", problem, ["field", "message"])),
    },
    ["success", "message", "errors"],
  ),
};

const failure = (description: string, name: string, example: object) =>
  noted({ description, content: { "application/json": { schema: ref(name), example } } }, "error-bodies");

const { perMinute, perHour } = limits.STATUS_RATE_LIMIT;

export const responses = {
  400: failure("Invalid data.", "ValidationFailure", VALIDATION_ERROR_EXAMPLE),
  401: failure("The keys are missing or wrong.", "Failure", UNAUTHORIZED_EXAMPLE),
  429: {
    ...failure(
      `Too many requests: an IP address may send ${perMinute} in a minute and ${perHour} in an hour.`,
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
};

export const securitySchemes = {
  basic: {
    type: "http",
    scheme: "basic",
    description: `The user is the secret key (\`${values.SECRET_KEY_PREFIX}\`), the password the public key (\`${values.PUBLIC_KEY_PREFIX}\`). Both together give full access: they stay on the merchant's server.`,
  },
  publicKey: noted(
    {
      type: "apiKey",
      in: "query",
      name: PUBLIC_KEY_PARAMETER,
      description: `The public key (\`${values.PUBLIC_KEY_PREFIX}\`), which may be exposed in frontends.`,
    },
    "public-key-in-the-address",
  ),
};
