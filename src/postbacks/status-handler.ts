import type { IdempotencyStore, OrderRecord } from "../contracts/idempotency-store.ts";
import { hasMethods, withOwn } from "../data/own-properties.ts";
import { toTime } from "../data/time.ts";
import { assertConfig, knownOptions } from "../errors/check-options.ts";
import { withTimeout } from "../http/timers.ts";
import type { TransactionStatus } from "../spec/transaction-status.ts";
import { createResponse, type HandlerResponse, type NodeResponse, sendToNode } from "./handler-response.ts";
import type { PostbackUrlSigner } from "./postback-url-signer.ts";
import type { NodeRequest } from "./read-body.ts";

/** Options of a status handler. */
export interface StatusHandlerOptions {
  /** Made the URLs, with `statusUrl`. */
  readonly signer: Pick<PostbackUrlSigner, "verifyStatusUrl">;
  /** The `idempotency` store of the client and of the postback handler. Each request is one `get`. */
  readonly store: Pick<IdempotencyStore, "get">;
}

/** Shows the status of an order to its page. Its members are plain functions, so each can be passed on separately. */
export interface StatusHandler {
  /** For servers with `Request` and `Response`: Hono, Next.js, Bun, Deno, Workers. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For Node's own requests and responses: `node:http`, Express, Fastify. Never rejects. */
  readonly node: (
    request: Pick<NodeRequest, "method" | "url" | "originalUrl">,
    response: NodeResponse,
  ) => Promise<void>;
}

/**
 * Creates a handler that answers a page, such as one with `<payment-pix status-url="...">`, whether its order is paid.
 *
 * | request | response |
 * |---|---|
 * | GET, HEAD: a URL of `signer.statusUrl` that has not expired | 200, `{ status, expiresAt? }` |
 * | the store fails, or does not answer within 5 seconds | 503, `Retry-After` |
 * | OPTIONS | 204 |
 * | anything else: no valid URL, an order without a record, another method | 404 |
 *
 * `status` is a {@link TransactionStatus}, `approved` only over the amount of the order. It is `pending` while the outcome of
 * the order is not known. `expiresAt` is when the code of a pix expires, in ISO 8601. The `Date` header is the time of the
 * server, because the clock of the customer's device may be wrong.
 *
 * The response contains nothing else about the order, and pages of every origin can read it: knowing the URL is enough.
 *
 * @throws {ConfigurationError} on an invalid option.
 */
export function createStatusHandler(options: StatusHandlerOptions): StatusHandler {
  const { signer, store } = knownOptions(options, ["signer", "store"]);
  assertConfig(hasMethods(signer, ["verifyStatusUrl"]), "signer must be a PostbackUrlSigner.");
  assertConfig(hasMethods(store, ["get"]), "store must be the idempotency store of the client.");
  return {
    async fetch({ method, url }) {
      const { status, headers, body } = await answer(method, url, { signer, store });
      return new Response(method === "HEAD" || body === "" ? null : body, { status, headers });
    },
    async node({ method = "", url = "", originalUrl = url }, response) {
      const answered = await answer(method, originalUrl, { signer, store });
      sendToNode(response, method === "HEAD" ? { ...answered, body: "" } : answered);
    },
  };
}

/** Milliseconds that the store has. A page asks again. */
const STORE_TIMEOUT_MS = 5_000;

const METHODS = "GET, HEAD, OPTIONS";

const HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "date",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

async function answer(
  method: string,
  url: string,
  { signer, store }: StatusHandlerOptions,
): Promise<HandlerResponse> {
  if (method === "OPTIONS") {
    const headers = { ...HEADERS, allow: METHODS, "access-control-allow-methods": METHODS };
    return { status: 204, headers: { ...headers, "access-control-allow-headers": "*" }, body: "" };
  }
  if (method !== "GET" && method !== "HEAD") return notFound();
  let externalRef: string;
  try {
    ({ externalRef } = await signer.verifyStatusUrl(url));
  } catch {
    return notFound(); // whatever is wrong with the URL, nothing is read
  }
  try {
    const order = await withTimeout({ ms: STORE_TIMEOUT_MS }, async () => store.get(externalRef));
    return order ? toResponse(200, toOrderStatus(order)) : notFound();
  } catch {
    return toResponse(503, { error: "store_failed" }, { "retry-after": "5" });
  }
}

function toResponse(status: number, body: object, more: HandlerResponse["headers"] = {}): HandlerResponse {
  return createResponse(status, body, { ...HEADERS, date: new Date().toUTCString(), ...more });
}

const notFound = () => toResponse(404, { error: "not_found" });

function toOrderStatus(found: OrderRecord): { status: TransactionStatus; expiresAt?: string } {
  const order = withOwn(found, ["transaction", "lastStatus"]);
  const expiry = toTime(order.transaction?.pix?.expirationDate ?? "");
  const expiresAt = Number.isNaN(expiry) ? {} : { expiresAt: new Date(expiry).toISOString() };
  return { status: statusOf(order, expiry), ...expiresAt };
}

/** @param expiry - Of the pix, in milliseconds since 1970; `NaN` if it is not known. */
function statusOf(
  { state, amount, transaction, lastStatus }: OrderRecord,
  expiry: number,
): TransactionStatus {
  if (state === "free") return lastStatus ?? (expiry <= Date.now() ? "expired" : "pending");
  if (state !== "created" || transaction === undefined) return "pending";
  const { status, paidAmount } = transaction;
  if (status === "unrecognized") return "pending";
  // `paidAmount` is 0 in the response to a create request.
  const isWrongAmount = (paidAmount || transaction.amount) !== amount;
  return status === "approved" && isWrongAmount ? "pending" : status;
}
