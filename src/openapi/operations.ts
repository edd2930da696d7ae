import { assumptions } from "../spec/assumptions.ts";
import { type AuthScheme, endpoints } from "../spec/endpoints.ts";
import { CARD_TOKEN_LIFETIME_MS, SELLERS_PER_PAGE, STATUS_RATE_LIMIT } from "../spec/limits.ts";
import { ref, responses, type schemas } from "./components.ts";
import {
  CARD_TOKEN_EXAMPLES,
  COMPANY_EXAMPLE,
  POSTBACK_EXAMPLE,
  REQUEST_EXAMPLES,
  RESPONSE_EXAMPLES,
  REVENUE_EXAMPLE,
  SELLERS_EXAMPLE,
  STATUS_EXAMPLE,
} from "./examples.ts";
import { noted } from "./notes.ts";

type OperationName = keyof typeof endpoints;

/** What an operation has that its endpoint does not say. */
interface Text {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Headings of the specification. An assumption below them that no field has is noted here. */
  readonly sections: readonly string[];
  /** Assumptions of this operation that are below other headings. */
  readonly assumptions?: readonly string[];
  readonly requestBody?: object;
  /** What a successful response is, and its content. */
  readonly success: { readonly description: string; readonly content: object };
}

const json = (schema: object, more: object) => ({ "application/json": { schema, ...more } });
const body = (schema: keyof typeof schemas, more: object) => ({
  required: true,
  content: json(ref(schema), more),
});
const listOf = (schema: keyof typeof schemas) => ({ type: "array", items: ref(schema) });

const SELLER_ASSUMPTIONS = ["sellers-path", "sellers-authentication"];

const TEXTS: Readonly<Record<OperationName, Text>> = {
  createTransaction: {
    tag: "Transactions",
    summary: "Create a transaction",
    description: [
      "Charges a customer by pix or by credit card; `paymentMethod` selects which.",
      "A `pix` is `pending` until the customer pays the code in `data.pix`; the service then posts to `postbackUrl`. The result of a `credit_card` is in `data.status`: a card that is refused is a 201 as well, with `refused` and a `data.refusedReason`.",
      "For a pix, this document requires what the pix guide of the specification requires. The table of the endpoint also requires `customer.phone`, `externalRef`, `postbackUrl`, `traceable`, `items`, `ip`, `metadata` and `pix.expiresInDays`: send all of them to satisfy both.",
      "Do not repeat a request whose response was lost: the customer may have been charged.",
    ].join("\n\n"),
    sections: [
      "POST /api/v1/transactions",
      "Order item",
      "Transaction (response envelope)",
      "Transaction (`data`)",
      "States and transitions",
    ],
    assumptions: ["pix-fields"],
    requestBody: body("CreateTransactionRequest", { examples: REQUEST_EXAMPLES }),
    success: {
      description: "The transaction was created. Read `data.status`.",
      content: json(ref("TransactionResponse"), { examples: RESPONSE_EXAMPLES }),
    },
  },
  createCardToken: {
    tag: "Card tokens",
    summary: "Convert a card to a token",
    description: `Returns a token that is valid for ${CARD_TOKEN_LIFETIME_MS / 60_000} minutes, for \`card.hash\` of a transaction. The service does not store the card. The customer's browser may call it, so that no card data reaches the merchant's server.`,
    sections: ["POST /api/v1/card-token", "Card token"],
    assumptions: ["cross-origin-tokenization"],
    requestBody: body("CardTokenRequest", { example: CARD_TOKEN_EXAMPLES.request }),
    success: {
      description: "The token as plain text, not as JSON.",
      content: { "text/plain": { schema: ref("CardToken"), example: CARD_TOKEN_EXAMPLES.response } },
    },
  },
  retrieveCompany: {
    tag: "Company",
    summary: "Retrieve the calling company",
    description:
      "Returns the configuration of the company, with the limits of its transactions. A change to bank data, legal name or documents can need a verification of up to 2 business days.",
    sections: ["GET /api/v1/company", "Company"],
    assumptions: ["other-statuses"],
    success: {
      description: "The company.",
      content: json(ref("CompanyResponse"), { example: COMPANY_EXAMPLE }),
    },
  },
  retrieveStatus: {
    tag: "Status",
    summary: "Retrieve the health of the service",
    description: `Needs no keys. An IP address may send ${STATUS_RATE_LIMIT.perMinute} requests in a minute and ${STATUS_RATE_LIMIT.perHour} in an hour.`,
    sections: ["GET /api/v1/status", "Service status"],
    assumptions: ["rate-limit-windows"],
    success: { description: "The health.", content: json(ref("ServiceStatus"), { example: STATUS_EXAMPLE }) },
  },
  listSellers: {
    tag: "Sellers",
    summary: "List the sellers",
    description: `Returns the sellers, the newest first, at most ${SELLERS_PER_PAGE}.`,
    sections: ["GET /sellers", "Seller (list entry)"],
    assumptions: SELLER_ASSUMPTIONS,
    success: { description: "The sellers.", content: json(listOf("Seller"), { example: SELLERS_EXAMPLE }) },
  },
  retrieveSellerRevenue: {
    tag: "Sellers",
    summary: "List the revenue of the sellers",
    description: "Returns the revenue of each seller, in reais.",
    sections: ["GET /sellers/revenue", "Seller revenue (list entry)"],
    assumptions: SELLER_ASSUMPTIONS,
    success: {
      description: "The revenue.",
      content: json(listOf("SellerRevenue"), { example: REVENUE_EXAMPLE }),
    },
  },
};

const SECURITY: Readonly<Record<AuthScheme, readonly object[]>> = {
  basic: [{ basic: [] }],
  publicKey: [{ publicKey: [] }],
  none: [],
};

/** The assumptions below these headings that nothing has noted yet. */
function assumptionsBelow(sections: readonly string[], alreadyNoted: ReadonlySet<string>): readonly string[] {
  const below = assumptions.filter(({ id, section }) => sections.includes(section) && !alreadyNoted.has(id));
  return below.map(({ id }) => id);
}

function createOperation(name: OperationName, onFields: ReadonlySet<string>): object {
  const { tag, summary, description, sections, requestBody, success, ...text } = TEXTS[name];
  const { auth, statuses } = endpoints[name];
  const answers = statuses.map((status) => [
    status,
    status in responses ? { $ref: `#/components/responses/${status}` } : success,
  ]);
  return noted(
    {
      operationId: name,
      tags: [tag],
      summary,
      description,
      security: SECURITY[auth],
      ...(requestBody && { requestBody }),
      responses: Object.fromEntries(answers),
    },
    ...assumptionsBelow(sections, onFields),
    ...(text.assumptions ?? []),
  );
}

/** Every path with its operations. @param onFields the assumptions that fields have. */
export function createPaths(onFields: ReadonlySet<string>): object {
  const operations = Object.entries(endpoints).map(([name, { path, method }]) => [
    path,
    { [method.toLowerCase()]: createOperation(name as OperationName, onFields) },
  ]);
  return Object.fromEntries(operations);
}

/** The request that the service sends to `postbackUrl`. @param onFields the assumptions that fields have. */
export function createWebhooks(onFields: ReadonlySet<string>): object {
  const post = {
    operationId: "postTransactionStatus",
    tags: ["Postbacks"],
    summary: "The status of a transaction changed",
    description:
      "The service posts each change of the status to the `postbackUrl` of the transaction, usually within seconds. Rely on it instead of polling.",
    security: [],
    requestBody: body("Postback", { example: POSTBACK_EXAMPLE }),
    responses: { "2XX": { description: "The merchant has received it." } },
  };
  const sections = ["Postback notification", "Events", "Configurable event names"];
  return { transactionStatus: { post: noted(post, ...assumptionsBelow(sections, onFields)) } };
}
