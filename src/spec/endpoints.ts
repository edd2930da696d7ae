/**
 * Every endpoint of the service. A new one also needs a file in `resources`, a property of the client, and a handler in
 * `sandbox/service-endpoints.ts`.
 *
 * Spec: "Endpoints" and "Authentication".
 */

/** How a request is authenticated. Spec: "Authentication". */
export type AuthScheme = "basic" | "publicKey" | "none";

/** What a call has to know about its endpoint. */
export interface CalledEndpoint {
  /** Stable name, used in errors and events. */
  readonly name: EndpointName;
  readonly method: string;
  /** Relative to `{base_url}`. */
  readonly path: string;
  /** The path as events show it. Default: {@link CalledEndpoint.path}. */
  readonly shownPath?: string;
  readonly auth: AuthScheme;
  /** Of a successful response's body; `any` if the specification does not have the endpoint. */
  readonly responseFormat: "json" | "text" | "any";
  /** Whether the request may charge the customer. If so, it is never sent twice. */
  readonly charges: boolean;
}

export interface Endpoint extends CalledEndpoint {
  readonly name: ServiceEndpointName;
  readonly method: "GET" | "POST";
  /** Spec: "General rules", rule 3. */
  readonly responseFormat: "json" | "text";
  /** The statuses that the specification shows, plus 200 if it shows no success. */
  readonly statuses: readonly number[];
}

/** What errors and events call an endpoint; `request` if the specification does not have the endpoint. */
export type EndpointName = ServiceEndpointName | "request";

/** Name of an endpoint of the specification, also in sandbox faults. */
export type ServiceEndpointName =
  | "transactions.create"
  | "cardTokens.create"
  | "company.retrieve"
  | "status.retrieve"
  | "sellers.list"
  | "sellers.revenue";

/** The version is part of the path. Spec: "Versioning", rule 1. */
export const API_PREFIX = "/api/v1";

/** Default path of the seller endpoints: see `sellers-path` in docs/specification.md. */
export const SELLERS_PATH = "/sellers";

/** The query parameter that authenticates tokenization. Spec: "POST /api/v1/card-token". */
export const PUBLIC_KEY_PARAMETER = "publicKey";

/** Separate, because a buyer's page loads no other endpoint. */
export const createCardToken = {
  name: "cardTokens.create",
  method: "POST",
  path: "/api/v1/card-token",
  auth: "publicKey",
  responseFormat: "text",
  statuses: [200, 400, 401],
  charges: false,
} as const satisfies Endpoint;

export const endpoints = {
  createTransaction: {
    name: "transactions.create",
    method: "POST",
    path: "/api/v1/transactions",
    auth: "basic",
    responseFormat: "json",
    statuses: [201, 400, 401],
    charges: true,
  },
  createCardToken,
  retrieveCompany: {
    name: "company.retrieve",
    method: "GET",
    path: "/api/v1/company",
    auth: "basic",
    responseFormat: "json",
    statuses: [200, 401],
    charges: false,
  },
  retrieveStatus: {
    name: "status.retrieve",
    method: "GET",
    path: "/api/v1/status",
    auth: "none",
    responseFormat: "json",
    statuses: [200, 429],
    charges: false,
  },
  listSellers: {
    name: "sellers.list",
    method: "GET",
    path: "/sellers",
    auth: "basic",
    responseFormat: "json",
    statuses: [200, 401],
    charges: false,
  },
  retrieveSellerRevenue: {
    name: "sellers.revenue",
    method: "GET",
    path: "/sellers/revenue",
    auth: "basic",
    responseFormat: "json",
    statuses: [200, 401],
    charges: false,
  },
} as const satisfies Record<string, Endpoint>;
