import type { PixCode, PixTransaction, Transaction } from "../../contracts/transaction.ts";
import {
  type Drift,
  describeType,
  optional,
  parseIfJson,
  readFields,
  toFlag,
  toId,
  toInteger,
  toText,
} from "../../data/json.ts";
import { isRecord, ownProperty, withOwn, withoutPrototype } from "../../data/own-properties.ts";
import { redactData } from "../../data/redactor.ts";
import type { ApiError, PartialResult, UnexpectedResponseError } from "../../errors/api-errors.ts";
import { PixRefusedError } from "../../errors/api-errors.ts";
import type { Issue } from "../../errors/issue.ts";
import type { Call } from "../../http/call.ts";
import {
  errorForFailure,
  errorForStatus,
  firstText,
  parseIssues,
  unexpectedResponse,
} from "../../http/error-for-status.ts";
import { parseBody, type RawResponse } from "../../http/response.ts";
import { attachRawBody } from "../../http/result.ts";
import { REJECTED_STATUSES } from "../../spec/response-statuses.ts";
import { SPELLED_STATUSES, toTransactionStatus } from "../../spec/transaction-status.ts";
import { UNCHARGED_STATUSES } from "../../spec/transitions.ts";
import { noResult } from "../read-resource.ts";
import type { TransactionRequest } from "./create-request.ts";
import { findCodeDrift, PIX_CODE } from "./pix-code-drift.ts";
import { isReadable, showsTransaction } from "./traces.ts";

type Data = Record<string, unknown>;
type Requested = Pick<TransactionRequest, "paymentMethod" | "amount" | "externalRef">;

/** The result of parsing a body: a transaction, or the parts that could be read. */
type Parsed =
  | { readonly ok: true; readonly data: Transaction }
  | ({ readonly ok: false; readonly refused?: PixTransaction | undefined } & PartialResult);

/**
 * The transaction in the response to a create call. Only its id is required: a charge that exists is never lost because
 * of an unexpected field, and a body without its end is used if its JSON is whole. A transaction of another order is
 * not the response to this call.
 *
 * Spec: "Transaction (response envelope)".
 *
 * @throws {ApiError} outside 200 to 299, and if the body has `success: false`.
 * @throws {PixRefusedError} if it is a pix that no one can pay.
 * @throws {UnexpectedResponseError} if the body cannot be used; with the transaction's id, if it could be read.
 * @throws the failure of the body, if neither a transaction nor an id was received before it.
 */
export function parseTransactionResponse(call: Call, response: RawResponse, request: Requested): Transaction {
  const { externalRef } = request;
  const json = parseIfJson(response.text); // once: a large body blocks the event loop
  if (!response.isOk) throw errorForRefusal(call, response, json, externalRef);
  const body = parseBody(response, json);
  if (!body.ok || body.isFailure) {
    const { id: transactionId } = findTransaction(response.text, json, externalRef);
    if (body.ok) throw errorForFailure(call, response, json, transactionId);
    if (transactionId === undefined && response.failure !== undefined) throw response.failure;
    throw unexpectedResponse(call, response, { ...noResult("", body.problem), transactionId });
  }
  const drift: Drift[] = [];
  const parsed = parseTransaction(body.value, request, call, drift);
  call.reportDrift(drift);
  if (parsed.ok) return parsed.data;
  // The response to a redirect that a custom fetch followed proves nothing about the create call itself.
  const { refused } = withOwn(parsed, ["refused"]);
  if (refused !== undefined && !response.isRedirected) {
    throw new PixRefusedError(refused, call.context("rejected"));
  }
  throw unexpectedResponse(call, response, parsed);
}

/**
 * The error for a response outside 200 to 299. The body outranks the status: if it contains the transaction, the
 * transaction exists; if it is about another order, it proves nothing about this one. An error may have an id of its own,
 * so an id counts only together with fields that only a transaction has. Spec: "Errors".
 */
export function errorForRefusal(
  call: Call,
  response: RawResponse,
  json: unknown,
  externalRef: string | undefined,
): ApiError | UnexpectedResponseError {
  const { text, status, failure, isRedirected } = response;
  const { data, id, isOther } = findTransaction(text, json, externalRef);
  const isTransaction = data === undefined ? showsTransaction(text) : isSurelyTransaction(data);
  const transactionId = isTransaction ? id : undefined;
  if (transactionId === undefined && failure !== undefined) throw failure;
  if (isOther && (isTransaction || json === undefined)) {
    return unexpectedResponse(call, response, { issues: [OTHER_ORDER] });
  }
  const mayBeTransaction = isTransaction || (id !== undefined && data !== json);
  const isProof = !mayBeTransaction && isReadable(response, json) && !showsTransaction(text);
  // The response to a redirect that a custom fetch followed proves nothing about the create call itself.
  const isRejected = REJECTED_STATUSES.has(status) && isProof && !isRedirected;
  const byStatus = isRejected ? "rejected" : "unknown";
  const result = { outcome: transactionId === undefined ? byStatus : "created", transactionId } as const;
  return errorForStatus(call, response, result, parseIssues(json, call.redactor));
}

function parseTransaction(body: unknown, requested: Requested, call: Call, drift: Drift[]): Parsed {
  const data = locateTransaction(body, drift);
  if (data === undefined) return noResult("data", "is missing");
  if (isOtherOrder(ownProperty(data, "externalId"), requested.externalRef)) {
    return { ok: false, issues: [OTHER_ORDER] };
  }
  const receivedId = ownProperty(data, "id");
  const id = toId(receivedId);
  if (id === undefined) {
    const isNumber = typeof receivedId === "number";
    const problem = isNumber ? "not a whole number above zero" : describeType(receivedId);
    return noResult("data.id", `is ${problem}`);
  }
  if (typeof receivedId !== "number") drift.push({ field: "data.id", message: "is a string" });
  const fields = parseFields(withoutPrototype(data), requested, call, drift);
  const pix = requested.paymentMethod === "pix" ? parsePixCode(data, drift) : undefined;
  if (pix && call.config.onEvent !== undefined) drift.push(...findCodeDrift(pix.qrcodeText, fields.amount));
  if (typeof id === "string") return { ...noResult("data.id", "is beyond 2^53 - 1"), transactionId: id };
  if (pix === undefined) return { ok: true, data: toCard(id, fields, body, data, drift) };
  const transaction = attachRawBody({ id, ...fields, paymentMethod: "pix" as const, pix }, body);
  return pix.qrcodeText === ""
    ? withoutCode(call, transaction, data, isContradicted(body, data, requested))
    : { ok: true, data: transaction };
}

/** A pix without its code: one that is surely refused needs none, and its picture alone makes it a result. */
function withoutCode({ redactor }: Call, pix: PixTransaction, data: Data, isContradicted: boolean): Parsed {
  const isRefused = UNCHARGED_STATUSES.has(pix.status) && !isContradicted;
  if (isRefused && PICTURE_OR_URL.test(pix.pix.qrcode ?? "")) return { ok: true, data: pix };
  const refused = isRefused && isWithoutCode(ownProperty(data, "pix")) ? pix : undefined;
  const { postBackUrl: _, ...kept } = pix; // an error may be logged
  const shown = redactData(redactor, kept) as Transaction;
  const transaction = attachRawBody(shown, redactData(redactor, pix.raw));
  return { ...noResult("data.pix.qrcodeText", "is missing"), transactionId: pix.id, transaction, refused };
}

type Fields = ReturnType<typeof parseFields>;

function toCard(id: number, fields: Fields, body: unknown, data: Data, drift: Drift[]) {
  const { status, refusedReason } = fields;
  const paymentMethod = "credit_card" as const;
  if (status !== "refused") return attachRawBody({ id, ...fields, status, paymentMethod }, body);
  const received = ownProperty(data, "refusedReason");
  if (typeof received !== "string" || refusedReason === undefined) {
    drift.push({ field: "data.refusedReason", message: `is ${describeType(received)}` });
  }
  const reason = refusedReason ?? "unspecified";
  return attachRawBody({ id, ...fields, status, refusedReason: reason, paymentMethod }, body);
}

const optionalText = optional(toText);

/** `data` as the specification shows it; `refusedReason` is parsed separately, because some services send an object. */
const FIELDS = {
  companyId: toInteger,
  installments: optional(toInteger),
  refusedAmount: toInteger,
  paidAmount: toInteger,
  refundedAmount: toInteger,
  metadata: optionalText,
  acquirerType: toText,
  secureId: toText,
  secureUrl: toText,
  externalId: optionalText,
  traceable: optional(toFlag),
  fees: toInteger,
  postBackUrl: optionalText,
  createdAt: toText,
  customer: {
    document: { type: toText, number: toText },
    name: toText,
    email: toText,
    phone: optionalText,
    externalRef: optionalText,
  },
};
const ENVELOPE = { success: toFlag, message: toText, status: toInteger };

function parseFields(data: Data, requested: Requested, call: Call, drift: Drift[]) {
  const { status, paymentMethod, amount } = data;
  const rawStatus = typeof status === "string" ? status : undefined;
  if (rawStatus === undefined) drift.push({ field: "data.status", message: `is ${describeType(status)}` });
  else if (!SPELLED_STATUSES.has(rawStatus)) {
    drift.push({ field: "data.status", message: "is not spelled as in the specification" });
  }
  if (paymentMethod !== requested.paymentMethod) {
    const message = paymentMethod === undefined ? "is missing" : "is not the requested one";
    drift.push({ field: "data.paymentMethod", message });
  }
  const cents = toInteger(amount) ?? requested.amount;
  const field = "data.amount";
  if (cents !== amount) drift.push({ field, message: `is ${describeType(amount)}` });
  if (cents !== requested.amount) drift.push({ field, message: "is not the requested amount" });
  const received = data["refusedReason"];
  const reason = isRecord(received) ? firstText(received, REASON_NAMES) : received;
  return {
    status: toTransactionStatus(rawStatus),
    ...(rawStatus !== undefined && { rawStatus }),
    // Redacted here, because errors repeat it and cannot redact.
    ...(typeof reason === "string" && reason.trim() !== "" && { refusedReason: call.redactor.text(reason) }),
    amount: cents,
    ...readFields(FIELDS, data, "data.", drift),
  };
}

/** Properties of a reason that is an object. */
const REASON_NAMES = ["message", "description", "reason", "title", "text", "detail"] as const;

/** A picture, or its address. */
const PICTURE_OR_URL = /^(?:data:image\/|https?:|<svg|\/9j\/)/i;

/** Whether a response contradicts that the pix it contains is refused: then that is not certain. */
function isContradicted(body: unknown, data: Data, requested: Requested): boolean {
  const { paymentMethod: method, amount, paidAmount, refundedAmount } = withoutPrototype(data);
  const list = isRecord(body) ? ownProperty(body, "data") : undefined;
  const isUnpaid = isMissingOr(0, paidAmount) && isMissingOr(0, refundedAmount);
  const isPix = (method ?? "pix") === "pix" || (typeof method === "string" && method.toLowerCase() === "pix");
  return (
    !isUnpaid || !isPix || !isMissingOr(requested.amount, amount) || (Array.isArray(list) && list.length > 1)
  );
}

/** Whether a field is missing or has this value. An object is neither: converting it to a number may throw. */
function isMissingOr(cents: number, value: unknown): boolean {
  return (value ?? "") === "" || (typeof value !== "object" && Number(value) === cents);
}

/** Whether a pix has nothing that could be its code, under any name and in any form. */
function isWithoutCode(pix: unknown): boolean {
  const isEmpty = ([name, value]: [string, unknown]) => name === "expirationDate" || (value ?? "") === "";
  // Some languages write an empty object as an empty list, an empty text or false.
  return !pix || (typeof pix === "object" && Object.entries(pix).every(isEmpty));
}

const PNG_URI = "data:image/png";
/** How a PNG begins in base64. */
const PNG_BASE64 = /^iVBORw0KGgo/;
const PICTURE = /^(?:data:image\/|iVBORw0KGgo)/;

const PIX_FIELDS = { pix: { qrcode: toText, qrcodeText: toText, expirationDate: toText } };

/** The pix of a transaction; `qrcodeText` is empty if there is no code. Code and picture may be swapped. */
function parsePixCode(data: Data, drift: Drift[]): PixCode {
  const { qrcode = "", qrcodeText = "", ...rest } = readFields(PIX_FIELDS, data, "data.", drift).pix;
  const code = PIX_CODE.test(qrcode) && !PIX_CODE.test(qrcodeText) ? qrcode : qrcodeText;
  const field = "data.pix.qrcode";
  if (code !== "" && code === qrcode) drift.push({ field, message: "contains the pix code" });
  const picture = [qrcode, qrcodeText].find((value) => PICTURE.test(value)) ?? "";
  const shown = picture === "" && qrcode !== code ? qrcode : picture;
  if (shown !== "" && !shown.startsWith(PNG_URI)) drift.push({ field, message: "is not a PNG data URI" });
  return {
    qrcodeText: code === picture ? "" : code,
    ...(shown !== "" && { qrcode: shown.replace(PNG_BASE64, `${PNG_URI};base64,$&`) }),
    ...rest,
  };
}

/**
 * Whether a transaction belongs to another order: its `externalId` differs from the reference that was sent. Proxies,
 * caches and reused connections can deliver a response that belongs to another request.
 */
export function isOtherOrder(externalId: unknown, externalRef: string | undefined): boolean {
  if (externalRef === undefined || externalId === "") return false;
  if (typeof externalId === "string") return externalId !== externalRef;
  // A number may repeat a reference that consists of digits; otherwise the field is just wrong.
  return typeof externalId === "number" && /^\d+$/.test(externalRef) && String(externalId) !== externalRef;
}

const OTHER_ORDER: Issue = { field: "data.externalId", message: "is the reference of another order" };

/** The part of a body that is the transaction. Drift of the envelope around it is added to `drift`. */
function locateTransaction(body: unknown, drift: Drift[]): Data | undefined {
  if (!isRecord(body)) return undefined;
  const data = ownProperty(body, "data");
  const isArray = Array.isArray(data);
  const inner: unknown = isArray ? data[0] : data;
  if (isRecord(inner)) {
    readFields(ENVELOPE, body, "", drift);
    if (isArray) drift.push({ field: "data", message: "is an array" });
    return inner;
  }
  // The envelope's own `status` is a number.
  const hasStatus = typeof ownProperty(body, "status") === "string" || Object.hasOwn(body, "paymentMethod");
  const isBare =
    (Object.hasOwn(body, "id") && hasStatus) || isFilledReference(ownProperty(body, "externalId"));
  if (isBare) drift.push({ field: "data", message: "is missing: the response has no envelope" });
  return isBare ? body : undefined;
}

/** Fields that nothing but a transaction has. */
const OWN_FIELDS = ["paymentMethod", "paidAmount", "refusedAmount", "acquirerType", "secureId", "secureUrl"];

function isSurelyTransaction(body: Data): boolean {
  const status = ownProperty(body, "status");
  const isKnown = toTransactionStatus(typeof status === "string" ? status : undefined) !== "unrecognized";
  const hasOwnField = OWN_FIELDS.some((name) => Object.hasOwn(body, name));
  return isKnown || hasOwnField || isFilledReference(ownProperty(body, "externalId"));
}

function isFilledReference(externalId: unknown): boolean {
  return typeof externalId === "number" || (typeof externalId === "string" && externalId !== "");
}

/** Members whose values are texts, numbers, booleans or null, with the comma after each of them. */
const SCALARS = String.raw`(?:\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*,)*`;
/** An `id` in `data`, with all of its digits. Other objects may contain ids, too: none may stand before it. */
const ID_IN_DATA = new RegExp(
  String.raw`^\s*\{${SCALARS}\s*"data"\s*:\s*\{${SCALARS}?\s*"id"\s*:\s*(?:"([^"\\]*)"|(\d+))\s*[,}]`,
);

/**
 * What an unusable body shows, which may be cut off: the transaction, its id, and whether it belongs to another order than
 * `externalRef`. Then it has no id here.
 */
function findTransaction(text: string, json: unknown, externalRef: string | undefined) {
  const data = locateTransaction(json, []);
  const isOther =
    json === undefined
      ? namesOtherOrder(text, externalRef)
      : isOtherOrder(data && ownProperty(data, "externalId"), externalRef);
  const [, quoted, digits] = (json === undefined && ID_IN_DATA.exec(text)) || [];
  const id = isOther ? undefined : toId(data ? ownProperty(data, "id") : (quoted ?? digits));
  return { data, isOther, id };
}

/** Whether a body, which may be cut off, names another order anywhere. */
function namesOtherOrder(body: string, externalRef: string | undefined): boolean {
  const named = /"externalId"\s*:\s*("(?:[^"\\]|\\.)*(?:"|$)|\d+)/.exec(body)?.[1];
  if (named === undefined) return false;
  if (!named.startsWith('"')) return isOtherOrder(named, externalRef);
  const reference = parseIfJson(named);
  if (reference !== undefined) return isOtherOrder(reference, externalRef);
  return externalRef?.startsWith(named.slice(1)) === false; // it was cut off, too
}
