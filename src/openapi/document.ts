import { assumptions } from "../spec/assumptions.ts";
import { API_PREFIX } from "../spec/endpoints.ts";
import { responses, schemas, securitySchemes } from "./components.ts";
import { noted, notedIn } from "./notes.ts";
import { createPaths, createWebhooks } from "./operations.ts";

const TAGS = [
  { name: "Transactions", description: "Payments by pix and by credit card." },
  { name: "Card tokens", description: "Card data is converted to a token before a payment." },
  { name: "Company", description: "The configuration of the calling company." },
  { name: "Status", description: "Health of the service." },
  { name: "Sellers", description: "Sellers and their revenue." },
  { name: "Postbacks", description: "What the service posts to the merchant." },
];

/** The specification names no address. The default is that of the sandbox, which charges no one. */
const server = {
  url: "{base_url}",
  description: "The service, at the base URL of the account.",
  variables: {
    base_url: {
      default: "http://127.0.0.1:4010",
      description: "Without a trailing slash. The default is the address of `npx payments sandbox`.",
    },
  },
};

/**
 * Creates the OpenAPI document of the service: docs/openapi.json, which `npm run pages` writes.
 *
 * Each assumption of `src/spec/assumptions.ts` is noted in it: on the fields that name it, otherwise on the operation
 * of its section, otherwise at the top.
 */
export function createOpenApiDocument(): object {
  const components = { schemas, responses, securitySchemes };
  const onFields = notedIn([components]);
  const operations = { paths: createPaths(onFields), webhooks: createWebhooks(onFields) };
  const placed = notedIn([components, operations]);
  const others = assumptions.filter(({ id }) => !placed.has(id));
  return {
    openapi: "3.1.0",
    info: noted(
      {
        title: "Payment processing service",
        version: API_PREFIX.replace(/^.*\//, ""),
        license: { name: "MIT", identifier: "MIT" },
        description: [
          "Payments by pix and by credit card, card tokens, company, status, sellers and revenue. Amounts are integers in cents, except the revenue of sellers.",
          "This document is part of payments-sdk. If the specification of the service is silent or contradicts itself, a note states the assumption, and `x-assumptions` has its id.",
        ].join("\n\n"),
      },
      ...others.map(({ id }) => id),
    ),
    servers: [server],
    tags: TAGS,
    ...operations,
    components,
  };
}
