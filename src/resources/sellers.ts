import { type Drift, describeType, type PartialFields, readFields, toText } from "../data/json.ts";
import { isRecord, ownProperty } from "../data/own-properties.ts";
import type { Issue } from "../errors/issue.ts";
import type { Call } from "../http/call.ts";
import { type Account, assertOption } from "../http/config.ts";
import { attachRawBody, type PaymentsPromise, toPaymentsPromise } from "../http/result.ts";
import { type CalledEndpoint, endpoints, SELLERS_PATH } from "../spec/endpoints.ts";
import { SELLERS_PER_PAGE } from "../spec/limits.ts";
import type { OpenEnum, SELLER_STATUSES } from "../spec/values.ts";
import type { ReadOptions } from "./query.ts";
import { noResult, read } from "./read-resource.ts";

/**
 * A seller. Enumerations are open: the service may add values.
 *
 * Spec: "Seller (list entry)".
 */
export interface Seller {
  /** Seller identifier; a number is converted to text. */
  id: string;
  /** Name of the seller. */
  name?: string;
  /** Formatted CPF or CNPJ. */
  document?: string;
  /** State of the seller: `active`, `inactive`, `pending` or `blocked`. The specification does not explain them. */
  status?: OpenEnum<(typeof SELLER_STATUSES)[number]>;
  /** The entry as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

/**
 * The revenue of a seller, in reais with decimals, unlike every other amount: `toCents` converts it.
 *
 * Spec: "Seller revenue (list entry)".
 */
export interface SellerRevenue {
  /** Seller identifier; a number is converted to text. */
  seller_id: string;
  /** Name of the seller. */
  seller_name?: string;
  /** In reais, not in cents. */
  revenue: {
    /** BRL since the seller started. */
    total?: number;
    /** BRL in the current month. */
    month?: number;
  };
  /** The entry as the service sent it. Not enumerable. */
  readonly raw: unknown;
}

/** Sellers and their revenue. */
export class SellersResource {
  readonly #account: Account;
  readonly #list: CalledEndpoint;
  readonly #revenue: CalledEndpoint;

  /** @internal */
  constructor(account: Account, path: unknown = SELLERS_PATH, auth: unknown = "basic") {
    assertOption(auth === "basic" || auth === "none", 'sellersAuth must be "basic" or "none".');
    const rule = "sellersPath must be a path that starts with a slash, such as /api/v1/sellers.";
    assertOption(typeof path === "string" && /^\/[\w\-./~%]+$/.test(path), rule);
    this.#account = account;
    const listPath = path.replace(/\/+$/, "");
    this.#list = { ...endpoints.listSellers, auth, path: listPath };
    this.#revenue = { ...endpoints.retrieveSellerRevenue, auth, path: `${listPath}/revenue` };
  }

  /**
   * Lists the sellers, newest first. The service returns at most 100, and further pages cannot be requested yet: at exactly
   * 100, a `warning` event reports that there may be more.
   *
   * `page` and `limit` are announced. Once the service has them, pass `{ extraQuery: { page: 2 } }`.
   *
   * Spec: "GET /sellers".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {NotFoundError} if the endpoint has a different path: see `sellersPath`.
   */
  list(options?: ReadOptions): PaymentsPromise<Seller[]> {
    const parse = (body: unknown, drift: Drift[], call: Call) => {
      const parsed = parseList(body, "id", SELLER, drift);
      if (parsed.ok && parsed.data.length === SELLERS_PER_PAGE) call.warn("length", MAY_BE_MORE);
      return parsed;
    };
    return toPaymentsPromise(read(this.#account, this.#list, options, parse));
  }

  /**
   * Retrieves the revenue of each seller, in reais with decimals: `toCents` converts it.
   *
   * Spec: "GET /sellers/revenue".
   *
   * @throws {AuthenticationError} on 401.
   * @throws {NotFoundError} if the endpoint has a different path: see `sellersPath`.
   */
  revenue(options?: ReadOptions): PaymentsPromise<SellerRevenue[]> {
    const parse = (body: unknown, drift: Drift[]) => parseList(body, "seller_id", REVENUE, drift);
    return toPaymentsPromise(read(this.#account, this.#revenue, options, parse));
  }
}

const MAY_BE_MORE = `is ${SELLERS_PER_PAGE}, the page's limit: there may be more sellers`;

const toNumber = (value: unknown) => (Number.isFinite(value) ? (value as number) : undefined);

const SELLER = { name: toText, document: toText, status: toText };
const REVENUE = { seller_name: toText, revenue: { total: toNumber, month: toNumber } };

/**
 * The entries of a JSON array. If one of them cannot be read, the list fails: leaving the entry out would silently falsify
 * a sum. Spec: "GET /sellers" and "GET /sellers/revenue".
 */
function parseList<IdName extends string, F extends typeof SELLER | typeof REVENUE>(
  body: unknown,
  idName: IdName,
  fields: F,
  drift: Drift[],
) {
  const inner = isRecord(body) ? ownProperty(body, "data") : undefined;
  const entries = Array.isArray(inner) ? inner : body;
  if (!Array.isArray(entries)) return noResult("", `the body is ${describeType(body)}, not an array`);
  if (entries !== body) drift.push({ field: "data", message: "is an envelope around the array" });
  const issues: Issue[] = [];
  const data = entries.flatMap((entry: unknown, index) => {
    const received = isRecord(entry) ? ownProperty(entry, idName) : undefined;
    const isNumber = Number.isSafeInteger(received); // a number identifies the same seller
    const isId = isNumber || (typeof received === "string" && received !== "");
    const difference = { field: `${index}.${idName}`, message: `is ${describeType(received)}` };
    if (!isId) issues.push(difference);
    if (!isId || !isRecord(entry)) return [];
    if (isNumber) drift.push(difference);
    const seller = { [idName]: String(received), ...readFields(fields, entry, `${index}.`, drift) };
    return [attachRawBody(seller as Record<IdName, string> & PartialFields<F>, entry)];
  });
  return issues.length === 0 ? ({ ok: true, data } as const) : ({ ok: false, issues } as const);
}
