import { API_PREFIX, type AuthScheme, endpoints } from "../../src/spec/endpoints.ts";
import { CARD_TOKEN_LIFETIME_MS, SELLERS_PER_PAGE, STATUS_RATE_LIMIT } from "../../src/spec/limits.ts";
import { assumptionsNotIn, noted } from "./assumptions.ts";
import { ref, responses, schemas, securitySchemes } from "./components.ts";
import * as examples from "./examples.ts";

type OperationName = keyof typeof endpoints;

/** What an operation has that its endpoint does not say. */
interface Operation {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Ids of the assumptions about the operation. Those about a field are noted on the field. */
  readonly assumptions: string;
  readonly requestBody?: object;
  /** The successful response. */
  readonly success: object;
}

const json = (schema: object, more: object) => ({ "application/json": { schema, ...more } });
const body = (name: keyof typeof schemas, more: object) => ({
  required: true,
  content: json(ref(name), more),
});
const success = (description: string, schema: object, more: object) => ({
  description,
  content: json(schema, more),
});
const listOf = (name: keyof typeof schemas) => ({ type: "array", items: ref(name) });

const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  createTransaction: {
    tag: "Transactions",
    summary: "Create a transaction",
    description: [
      "Charges a customer by pix or by credit card; `paymentMethod` selects which.",
      "A `pix` is `pending` until the customer pays the code in `data.pix`; the service then posts to `postbackUrl`. The result of a `credit_card` is in `data.status`: a card that is refused is a 201 as well, with `refused` and a `data.refusedReason`.",
      "For a pix, this document requires what the pix guide of the specification requires. The table of the endpoint also requires `customer.phone`, `externalRef`, `postbackUrl`, `traceable`, `items`, `ip`, `metadata` and `pix.expiresInDays`: send all of them to satisfy both.",
      "Do not repeat a request whose response was lost: the customer may have been charged.",
    ].join("\n\n"),
    assumptions:
      "envelope transaction-ids pix-code traceable item-fields refused-pix moves-out-of-approved med other-moves unknown-fields idempotency lost-pix pix-fields",
    requestBody: body("CreateTransactionRequest", { examples: examples.REQUEST_EXAMPLES }),
    success: success("The transaction was created. Read `data.status`.", ref("TransactionResponse"), {
      examples: examples.RESPONSE_EXAMPLES,
    }),
  },
  createCardToken: {
    tag: "Card tokens",
    summary: "Convert a card to a token",
    description: `Returns a token that is valid for ${CARD_TOKEN_LIFETIME_MS / 60_000} minutes, for \`card.hash\` of a transaction. The service does not store the card. The customer's browser may call it, so that no card data reaches the merchant's server.`,
    assumptions: "expired-card-tokens card-token-text cross-origin-tokenization",
    requestBody: body("CardTokenRequest", { example: examples.CARD_TOKEN_EXAMPLES.request }),
    success: {
      description: "The token as plain text, not as JSON.",
      content: { "text/plain": { schema: ref("CardToken"), example: examples.CARD_TOKEN_EXAMPLES.response } },
    },
  },
  retrieveCompany: {
    tag: "Company",
    summary: "Retrieve the calling company",
    description:
      "Returns the configuration of the company, with the limits of its transactions. A change to bank data, legal name or documents can need a verification of up to 2 business days.",
    assumptions: "company-status other-statuses",
    success: success("The company.", ref("CompanyResponse"), { example: examples.COMPANY_EXAMPLE }),
  },
  retrieveStatus: {
    tag: "Status",
    summary: "Retrieve the health of the service",
    description: `Needs no keys. An IP address may send ${STATUS_RATE_LIMIT.perMinute} requests in a minute and ${STATUS_RATE_LIMIT.perHour} in an hour.`,
    assumptions: "",
    success: success("The health.", ref("ServiceStatus"), { example: examples.STATUS_EXAMPLE }),
  },
  listSellers: {
    tag: "Sellers",
    summary: "List the sellers",
    description: `Returns the sellers, the newest first, at most ${SELLERS_PER_PAGE}.`,
    assumptions: "sellers-pages sellers-path sellers-authentication",
    success: success("The sellers.", listOf("Seller"), { example: examples.SELLERS_EXAMPLE }),
  },
  retrieveSellerRevenue: {
    tag: "Sellers",
    summary: "List the revenue of the sellers",
    description: "Returns the revenue of each seller, in reais.",
    assumptions: "sellers-path sellers-authentication",
    success: success("The revenue.", listOf("SellerRevenue"), { example: examples.REVENUE_EXAMPLE }),
  },
};

const SECURITY: Readonly<Record<AuthScheme, readonly object[]>> = {
  basic: [{ basic: [] }],
  publicKey: [{ publicKey: [] }],
  none: [],
};

function createOperation(name: OperationName): object {
  const { tag, summary, description, assumptions, requestBody, success } = OPERATIONS[name];
  const { auth, statuses } = endpoints[name];
  const replies = statuses.map((status) => [
    status,
    status in responses ? { $ref: `#/components/responses/${status}` } : success,
  ]);
  const operation = {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security: SECURITY[auth],
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(replies),
  };
  return noted(operation, assumptions);
}

/** The request that the service sends to `postbackUrl`. */
const POSTBACK = noted(
  {
    operationId: "postTransactionStatus",
    tags: ["Postbacks"],
    summary: "The status of a transaction changed",
    description:
      "The service posts each change of the status to the `postbackUrl` of the transaction, usually within seconds. Rely on it instead of polling.",
    security: [],
    requestBody: body("Postback", { example: examples.POSTBACK_EXAMPLE }),
    responses: { "2XX": { description: "The merchant has received it." } },
  },
  "unsigned-postbacks postback-retries postback-order postback-reply changes-that-are-posted postback-at-creation signed-url-lifetime",
);

const TAGS = {
  Transactions: "Payments by pix and by credit card.",
  "Card tokens": "Card data is converted to a token before a payment.",
  Company: "The configuration of the calling company.",
  Status: "Health of the service.",
  Sellers: "Sellers and their revenue.",
  Postbacks: "What the service posts to the merchant.",
};

/** The specification names no address. The default is that of the sandbox, which charges no one. */
const SERVER = {
  url: "{base_url}",
  description: "The service, at the base URL of the account.",
  variables: {
    base_url: {
      default: "http://127.0.0.1:4010",
      description: "Without a trailing slash. The default is the address of `npx payments sandbox`.",
    },
  },
};

/** Creates the OpenAPI document of the service: docs/openapi.json, which `npm run generate` writes. */
export function createOpenApiDocument(): object {
  const paths = Object.entries(endpoints).map(([name, { path, method }]) => [
    path,
    { [method.toLowerCase()]: createOperation(name as OperationName) },
  ]);
  const parts = {
    paths: Object.fromEntries(paths),
    webhooks: { transactionStatus: { post: POSTBACK } },
    components: { schemas, responses, securitySchemes },
  };
  const info = {
    title: "Payment processing service",
    version: API_PREFIX.replace(/^.*\//, ""),
    license: { name: "MIT", identifier: "MIT" },
    description: [
      "Payments by pix and by credit card, card tokens, company, status, sellers and revenue. Amounts are integers in cents, except the revenue of sellers.",
      "This document is part of payments-sdk. If the specification of the service is silent or contradicts itself, a note states the assumption, and `x-assumptions` has its id.",
    ].join("\n\n"),
  };
  return {
    openapi: "3.1.0",
    info: noted(info, assumptionsNotIn(parts)),
    servers: [SERVER],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    ...parts,
  };
}
