import { fillIn, isRecord } from "../../data/own.ts";
import type { FoundIssue } from "../../data/snapshot.ts";
import { snapshot } from "../../data/snapshot.ts";
import { type Validated, validatePlain } from "../../data/validate.ts";
import { CardTokenExpiredError } from "../../errors/card-token-expired-error.ts";
import { InvalidRequestError } from "../../errors/invalid-request-error.ts";
import type { Issue } from "../../errors/issue.ts";
import { toIssues } from "../../errors/issue.ts";
import type { CallScope } from "../../http/call-scope.ts";
import { CLOCK_TOLERANCE_MS } from "../../spec/limits.ts";
import { PAYMENT_METHODS, type PaymentMethod } from "../../spec/values.ts";
import { claimsOf } from "../../tokenizer/token-claims.ts";
import { withExtraBody } from "./extra-body.ts";
import {
  CardRequest,
  FOREIGN_TO_CARD,
  FOREIGN_TO_PIX,
  PixRequest,
  type TransactionRequest,
} from "./request.ts";

/** Fields that a pix may lack; `undefined` then, whatever a prototype has. */
const OPTIONAL_FIELDS = ["externalRef", "postbackUrl", "traceable", "items", "ip", "metadata", "pix"];

/** What a create was called with. */
export interface CreateInput {
  readonly params: unknown;
  /** The method that the caller chose by the name of the function; else `params` says. */
  readonly method: PaymentMethod | undefined;
  /** The client's own, for parameters without one. */
  readonly postbackUrl: string | undefined;
  /** Whether postback URLs are signed, which takes a reference. */
  readonly signsPostbackUrls: boolean;
  /** Whether a store keeps the payment, which takes a reference, too. */
  readonly isKept: boolean;
  readonly extraBody: unknown;
  /** Problems with the call's options. */
  readonly optionIssues: readonly Issue[];
}

/** A create that is ready to be sent. */
export interface PreparedTransaction {
  readonly request: TransactionRequest;
  /** {@link request} with the fields that the SDK does not know. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** {@link wire} as JSON text. */
  readonly body: string;
  /** Where the card token is too old. A payment that a store keeps may have been sent before, while it was not. */
  readonly expired?: CardTokenExpiredError | undefined;
}

/**
 * Makes what goes on the wire of what a caller passed in.
 *
 * @throws {InvalidRequestError} with every problem at once.
 * @throws {CardTokenExpiredError} where the token cannot be good any more, and no store keeps the payment.
 */
export function prepareTransaction(scope: CallScope, input: CreateInput): PreparedTransaction {
  const found: FoundIssue[] = [];
  const plain = readParams(input, found);
  scope.externalRef = typeof plain?.["externalRef"] === "string" ? plain["externalRef"] : undefined;
  const checked = check(plain, found);
  const extraIssues: FoundIssue[] = [];
  const body = withExtraBody(checked.ok ? checked.value : (plain ?? {}), input.extraBody, extraIssues);
  // Parameters that are wrong have their issues already; only what was added to them is left to try.
  const text = toJson(checked.ok ? body : input.extraBody, extraIssues);
  if (!checked.ok || extraIssues.length + input.optionIssues.length > 0) {
    const wrong = toIssues([...(checked.ok ? [] : checked.issues), ...extraIssues]);
    throw new InvalidRequestError([...wrong, ...input.optionIssues], scope.context("not_sent"));
  }

  const expiredAt = expiryOf(plain?.["card"]);
  const expired = expiredAt && new CardTokenExpiredError(expiredAt, scope.context("not_sent"));
  if (expired !== undefined && !input.isKept) throw expired;
  fillIn(checked.value, OPTIONAL_FIELDS);
  return { request: checked.value, wire: body, body: text, expired };
}

type Plain = Record<string, unknown>;

function readParams(input: CreateInput, found: FoundIssue[]): Plain | undefined {
  const { params, method, postbackUrl } = input;
  const plain = snapshot(params, found);
  if (!isRecord(plain)) return undefined;
  if (plain["paymentMethod"] === undefined && method !== undefined) plain["paymentMethod"] = method;
  if (plain["postbackUrl"] === undefined && postbackUrl !== undefined) plain["postbackUrl"] = postbackUrl;
  const reason = needOfReference(input, plain);
  if (reason !== undefined && plain["externalRef"] === undefined && plain["paymentMethod"] === "pix") {
    found.push({ path: ["externalRef"], message: `is required, because ${reason}` });
  }
  const allowed: readonly unknown[] = method === undefined ? PAYMENT_METHODS : [method];
  if (!allowed.includes(plain["paymentMethod"])) {
    found.push({
      path: ["paymentMethod"],
      message: `must be ${allowed.map((name) => `"${name}"`).join(" or ")}`,
    });
  }
  return plain;
}

/** Why a pix must have the reference that a card has anyway. */
function needOfReference({ signsPostbackUrls, isKept }: CreateInput, plain: Plain): string | undefined {
  if (isKept) return "the idempotency store finds the payment by it";
  const isSigned = signsPostbackUrls && plain["postbackUrl"] !== undefined;
  return isSigned ? "the signed postback URL names it" : undefined;
}

function check(plain: Plain | undefined, found: readonly FoundIssue[]): Validated<TransactionRequest> {
  if (plain === undefined)
    return { ok: false, issues: [...found, { path: [], message: "must be an object" }] };
  if (plain["paymentMethod"] === "credit_card")
    return validatePlain(CardRequest, plain, found, FOREIGN_TO_CARD);
  if (plain["paymentMethod"] === "pix") return validatePlain(PixRequest, plain, found, FOREIGN_TO_PIX);
  // Which method is not known, so only what both have is checked.
  const { card: _card, installments: _installments, pix: _pix, ...common } = plain;
  return validatePlain(PixRequest, common, found);
}

function toJson(body: unknown, issues: FoundIssue[]): string {
  try {
    return JSON.stringify(body) ?? "";
  } catch {
    issues.push({ path: ["extraBody"], message: "cannot be written as JSON" });
    return "";
  }
}

/** When the token's life ended; `undefined` while it may be good. */
function expiryOf(card: unknown): Date | undefined {
  const hash = isRecord(card) ? card["hash"] : undefined;
  // Not by its class: the token may come from another copy of the package.
  if (isRecord(hash)) return pastOf(hash["expiresAt"]);
  const { exp } = typeof hash === "string" ? claimsOf(hash) : {};
  if (exp === undefined) return undefined;
  // This machine's clock and the service's need not agree.
  return exp * 1000 + CLOCK_TOLERANCE_MS < Date.now() ? new Date(exp * 1000) : undefined;
}

function pastOf(end: unknown): Date | undefined {
  return end instanceof Date && end.getTime() <= Date.now() ? end : undefined;
}
