import type { Gateway } from "../gateway.ts";
import type { SandboxRequest } from "../requests/logged-request.ts";
import type { SandboxTransaction } from "../transactions/sandbox-transaction.ts";
import { type RequestPage, type TransactionPage, toRequestSummary, toSummary } from "./views.ts";

/** The request to the control API is invalid. */
export class BadRequestError extends Error {
  override readonly name = "BadRequestError";
}

const PAGE_DEFAULT = 100;
const PAGE_MAX = 1_000;

/**
 * Lists transactions, newest first. `q` is searched in the id, the reference and the customer's name and e-mail
 * address; `status` and `method` are exact.
 *
 * @throws {BadRequestError} when `limit` or `before` is not a whole number.
 */
export function listTransactions({ transactions }: Gateway, query: URLSearchParams): TransactionPage {
  const isSearched = searchOf(query);
  const status = query.get("status");
  const method = query.get("method");

  const { entries, ...page } = pageOf(
    transactions.filter(
      (transaction) =>
        (!status || transaction.status === status) &&
        (!method || transaction.paymentMethod === method) &&
        isSearched(textOfTransaction(transaction)),
    ),
    query,
  );
  return { transactions: entries.map(toSummary), ...page };
}

/**
 * Lists requests, newest first. `q` is searched in the path, the bodies, the reason and the fault; `endpoint` is
 * exact; `status` is an HTTP status, `2xx` to `5xx`, or `none` for a request without a response.
 *
 * @throws {BadRequestError} when `limit` or `before` is not a whole number.
 */
export function listRequests({ requests }: Gateway, query: URLSearchParams): RequestPage {
  const isSearched = searchOf(query);
  const endpoint = query.get("endpoint");
  const status = query.get("status");

  const { entries, ...page } = pageOf(
    requests.filter(
      (request) =>
        (!endpoint || request.endpoint === endpoint) &&
        (!status || hasStatus(request, status)) &&
        isSearched(textOfRequest(request)),
    ),
    query,
  );
  return { requests: entries.map(toRequestSummary), ...page };
}

/** Each word of the query must be in the text, in any case. */
function searchOf(query: URLSearchParams): (text: string) => boolean {
  const words = [...new Set((query.get("q") ?? "").toLowerCase().split(/\s+/))];
  return (text) => {
    const lowerCase = text.toLowerCase();
    return words.every((word) => lowerCase.includes(word));
  };
}

function textOfTransaction({ id, externalId, customer }: SandboxTransaction): string {
  return [id, externalId, customer.name, customer.email].join(" ");
}

function textOfRequest(request: SandboxRequest): string {
  const { method, path, requestBody, responseBody, reason, fault, transactionId } = request;
  return [method, path, requestBody, responseBody, reason, fault, transactionId].join(" ");
}

function hasStatus({ status }: SandboxRequest, wanted: string): boolean {
  if (status === undefined) return wanted === "none";
  return wanted === String(status) || wanted === `${String(status)[0]}xx`;
}

/** @param matches oldest first. */
function pageOf<T extends { readonly id: number }>(matches: readonly T[], query: URLSearchParams) {
  const limit = Math.min(readWholeNumber(query, "limit") ?? PAGE_DEFAULT, PAGE_MAX);
  const before = readWholeNumber(query, "before") ?? Number.POSITIVE_INFINITY;
  const older = matches.filter(({ id }) => id < before);
  const entries = limit === 0 ? [] : older.slice(-limit).toReversed();
  return { entries, total: matches.length, hasMore: older.length > entries.length };
}

function readWholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new BadRequestError(`${name} must be a whole number.`);
  return Number(text);
}
