/**
 * Every endpoint of the service, once.
 *
 * Spec: "Endpoints" and "Authentication".
 */

/** How a call proves who is calling. Spec: "Authentication". */
export type AuthScheme = "basic" | "publicKey" | "none";

/** What the body of a good answer is. Spec: "General rules", rule 3. */
export type ReplyKind = "json" | "text";

export interface Endpoint {
  /** Stable name, as it stands in errors, events and sandbox faults. */
  readonly name: EndpointName;
  readonly method: "GET" | "POST";
  /** Relative to `{base_url}`. */
  readonly path: string;
  readonly auth: AuthScheme;
  readonly reply: ReplyKind;
  /** The statuses that the specification shows, and 200 where it shows no success. */
  readonly statuses: readonly number[];
  /** Whether a sent request may charge somebody; such a call is never put on the wire twice. */
  readonly charges: boolean;
}

/** The calls of the service, as errors, events and faults of the sandbox name them. */
export type EndpointName =
  | "transactions.create"
  | "cardTokens.create"
  | "company.retrieve"
  | "status.retrieve"
  | "sellers.list"
  | "sellers.revenue";

/** The version is part of the path. Spec: "Versioning", rule 1. */
export const API_PREFIX = "/api/v1";

/** Where the sellers live unless told otherwise; the prefix is not shown. See {@link assumptions}. */
export const SELLERS_PATH = "/sellers";

/** Name of the query parameter that authenticates tokenization. Spec: "POST /api/v1/card-token". */
export const PUBLIC_KEY_PARAMETER = "publicKey";

export const endpoints = {
  createTransaction: {
    name: "transactions.create",
    method: "POST",
    path: `${API_PREFIX}/transactions`,
    auth: "basic",
    reply: "json",
    statuses: [201, 400, 401],
    charges: true,
  },
  createCardToken: {
    name: "cardTokens.create",
    method: "POST",
    path: `${API_PREFIX}/card-token`,
    auth: "publicKey",
    reply: "text",
    statuses: [200, 400, 401],
    charges: false,
  },
  retrieveCompany: {
    name: "company.retrieve",
    method: "GET",
    path: `${API_PREFIX}/company`,
    auth: "basic",
    reply: "json",
    statuses: [200, 401],
    charges: false,
  },
  retrieveStatus: {
    name: "status.retrieve",
    method: "GET",
    path: `${API_PREFIX}/status`,
    auth: "none",
    reply: "json",
    statuses: [200, 429],
    charges: false,
  },
  listSellers: {
    name: "sellers.list",
    method: "GET",
    path: SELLERS_PATH,
    auth: "basic",
    reply: "json",
    statuses: [200, 401],
    charges: false,
  },
  retrieveSellerRevenue: {
    name: "sellers.revenue",
    method: "GET",
    path: `${SELLERS_PATH}/revenue`,
    auth: "basic",
    reply: "json",
    statuses: [200, 401],
    charges: false,
  },
} as const satisfies Record<string, Endpoint>;
