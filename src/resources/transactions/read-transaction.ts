import { Integer } from "../../data/integer.ts";
import { isRecord, own } from "../../data/own.ts";
import { readFields, typeName } from "../../data/read-fields.ts";
import type { Redactor } from "../../data/redactor.ts";
import type { Deviate, Reading } from "../../http/call.ts";
import { firstText } from "../../http/parse-issues.ts";
import { attachRawBody } from "../../http/result.ts";
import { type PaymentMethod, readStatus, SPELLED_STATUSES } from "../../spec/values.ts";
import { recordOr } from "../read-record.ts";
import { readPix } from "./read-pix.ts";
import {
  customerDocumentShape,
  customerShape,
  type Transaction,
  type TransactionCustomer,
  transactionShape,
} from "./transaction.ts";
import { isOfAnotherOrder, locateTransaction, OF_ANOTHER_ORDER, readId } from "./transaction-id.ts";

/** What the request said, for what the answer leaves out. */
export interface Requested {
  readonly paymentMethod: PaymentMethod;
  /** Cents. */
  readonly amount: number;
  readonly externalRef?: string | undefined;
}

/**
 * The transaction in the answer to a create. Only its id must be there: a charge that exists is never
 * lost because a field surprised us. A transaction of another order is not the answer to this create.
 *
 * Spec: "Transaction (response envelope)".
 */
export function readTransaction(
  body: unknown,
  requested: Requested,
  deviate: Deviate,
  redactorOf: () => Redactor,
): Reading<Transaction> {
  const data = locateTransaction(body);
  if (data === undefined) return { ok: false, issues: [{ field: "data", message: "is missing" }] };
  if (isOfAnotherOrder(own(data, "externalId"), requested.externalRef)) {
    return { ok: false, issues: [OF_ANOTHER_ORDER] };
  }
  reportEnvelope(body, data, deviate);
  const id = readId(own(data, "id"));
  if (id === undefined) {
    return { ok: false, issues: [{ field: "data.id", message: describeId(own(data, "id")) }] };
  }
  if (typeof own(data, "id") !== "number") deviate({ field: "data.id", message: "came as a string" });

  const common = readCommon(data, requested, deviate);
  if (typeof id === "string") {
    return { ok: false, issues: [{ field: "data.id", message: "is beyond 2^53 - 1" }], transactionId: id };
  }
  const { fields, pix } = common;
  if (requested.paymentMethod === "credit_card") {
    return { ok: true, data: attachRawBody(asCard(id, fields, data, redactorOf, deviate), body) };
  }
  const transaction = attachRawBody({ id, ...fields, paymentMethod: "pix" as const, pix }, body);
  if (pix.qrcodeText !== "") return { ok: true, data: transaction };
  const issues = [{ field: "data.pix.qrcodeText", message: "is missing" }];
  return { ok: false, issues, transactionId: id, transaction };
}

function reportEnvelope(body: unknown, data: Record<string, unknown>, deviate: Deviate): void {
  if (!isRecord(body) || body === data) {
    deviate({ field: "data", message: "came without its envelope" });
    return;
  }
  if (own(body, "success") !== true)
    deviate({ field: "success", message: `came as ${typeName(own(body, "success"))}` });
  if (Array.isArray(own(body, "data"))) deviate({ field: "data", message: "came as an array" });
}

function readCommon(data: Record<string, unknown>, requested: Requested, deviate: Deviate) {
  const rawStatus = readRawStatus(own(data, "status"), deviate);
  if (own(data, "paymentMethod") !== requested.paymentMethod) {
    const message =
      own(data, "paymentMethod") === undefined ? "came as nothing" : "is not the one that was asked for";
    deviate({ field: "data.paymentMethod", message });
  }
  const fields = {
    status: readStatus(rawStatus),
    ...(rawStatus !== undefined && { rawStatus }),
    amount: readAmount(own(data, "amount"), requested.amount, deviate),
    ...readFields(transactionShape, data, "data", deviate),
    customer: readCustomer(own(data, "customer"), deviate),
  };
  const pix = requested.paymentMethod === "pix" ? readPix(own(data, "pix"), deviate) : { qrcodeText: "" };
  return { fields, pix };
}

function readRawStatus(value: unknown, deviate: Deviate): string | undefined {
  if (typeof value !== "string") {
    deviate({ field: "data.status", message: `came as ${typeName(value)}` });
    return undefined;
  }
  if (!SPELLED_STATUSES.has(value))
    deviate({ field: "data.status", message: "is not spelled as in the specification" });
  return value;
}

function readAmount(value: unknown, requested: number, deviate: Deviate): number {
  const parsed = Integer.safeParse(value);
  if (typeof value !== "number" || !parsed.success) {
    deviate({ field: "data.amount", message: `came as ${typeName(value)}` });
  }
  if (parsed.success && parsed.data !== requested) {
    deviate({ field: "data.amount", message: "is not the amount that was sent" });
  }
  return parsed.success ? parsed.data : requested;
}

function readCustomer(value: unknown, deviate: Deviate): TransactionCustomer {
  const customer = recordOr(value, "data.customer", deviate);
  if (customer === undefined) return { document: {} };
  const document = recordOr(own(customer, "document"), "data.customer.document", deviate) ?? {};
  return {
    ...readFields(customerShape, customer, "data.customer", deviate),
    document: readFields(
      customerDocumentShape,
      document,
      "data.customer.document",
      quietFor(document, deviate),
    ),
  };
}

/** An object that is missing was told once; each of its fields need not be told again. */
function quietFor(record: Record<string, unknown>, deviate: Deviate): Deviate {
  return Object.keys(record).length === 0 ? () => undefined : deviate;
}

type Common = Omit<Transaction, "id" | "paymentMethod" | "pix" | "raw" | "refusedReason">;

function asCard(
  id: number,
  fields: Common,
  data: Record<string, unknown>,
  redactorOf: () => Redactor,
  deviate: Deviate,
) {
  const paymentMethod = "credit_card" as const;
  const { status } = fields;
  const reason = own(data, "refusedReason");
  const text = isRecord(reason) ? firstText(reason, REASON_NAMES) : reason;
  // Clean from here on, because a `CardRefusedError` repeats it and knows no secrets.
  const refusedReason = typeof text === "string" && text.trim() !== "" ? redactorOf().text(text) : undefined;
  if (status === "refused") {
    if (text !== reason || refusedReason === undefined) {
      deviate({ field: "data.refusedReason", message: `came as ${typeName(reason)}` });
    }
    return { id, ...fields, status, paymentMethod, refusedReason: refusedReason ?? "unspecified" };
  }
  const said = refusedReason === undefined ? undefined : { refusedReason };
  return { id, ...fields, status, paymentMethod, ...said };
}

/** Where a reason that came as an object keeps its text. */
const REASON_NAMES = ["message", "description", "reason", "title", "text", "detail"] as const;

function describeId(id: unknown): string {
  return typeof id === "number" ? "is not a whole number above zero" : `came as ${typeName(id)}`;
}
