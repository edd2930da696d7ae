import { ownCopy } from "../data/own.ts";
import { referenceProblem } from "../data/reference.ts";
import { isWebUrl } from "../data/url.ts";
import { InvalidRequestError } from "../errors/invalid-request-error.ts";
import type { Issue } from "../errors/issue.ts";
import { POSTBACK_TEXT_MAX, POSTBACK_URL_LIFETIME_DAYS } from "../spec/limits.ts";
import { PAYMENT_METHODS } from "../spec/values.ts";
import type { OrderToSign } from "./signer-contract.ts";

const ORDER_FIELDS = ["externalRef", "amount", "paymentMethod", "expiresAt"] as const;

const DAY_IN_SECONDS = 24 * 60 * 60;

interface ReadOrder {
  readonly externalRef: string;
  readonly amount: number;
  /** Seconds since 1970, as a JWT counts. */
  readonly expiresAt: number;
}

/** @throws {InvalidRequestError} with every problem at once; it never repeats the URL. */
export function readOrderToSign(url: unknown, order: OrderToSign): ReadOrder {
  const { externalRef, amount, paymentMethod, expiresAt } = ownCopy(order ?? {}, ORDER_FIELDS);
  const issues: Issue[] = [];
  // A parser trims spaces, and the signature would come after them.
  if (!isWebUrl(url) || /\s/.test(url)) {
    issues.push({ field: "postbackUrl", message: "must be an absolute URL without spaces" });
  }
  const problem = problemOfReference(externalRef);
  if (problem !== undefined) issues.push({ field: "externalRef", message: problem });
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    issues.push({ field: "amount", message: "must be a whole number of cents above zero" });
  }
  if (paymentMethod !== undefined && !PAYMENT_METHODS.includes(paymentMethod)) {
    issues.push({ field: "paymentMethod", message: 'must be "credit_card" or "pix"' });
  }
  // Not `instanceof Date` alone: a Date may be none.
  if (expiresAt !== undefined && !(expiresAt instanceof Date && expiresAt.getTime() > Date.now())) {
    issues.push({ field: "expiresAt", message: "must be a Date in the future" });
  }
  if (issues.length > 0) throw new InvalidRequestError(issues, contextOf(externalRef));
  const end = expiresAt === undefined ? endOfLife(paymentMethod) : expiresAt.getTime() / 1000;
  return { externalRef, amount, expiresAt: Math.floor(end) };
}

function problemOfReference(externalRef: unknown): string | undefined {
  // Halves of characters cannot be told apart in a digest.
  if (typeof externalRef !== "string" || externalRef === "" || !externalRef.isWellFormed()) {
    return "must be a string that is not empty";
  }
  const max = POSTBACK_TEXT_MAX.externalRef;
  return externalRef.length > max ? `must have at most ${max} characters` : referenceProblem(externalRef);
}

/** @throws {InvalidRequestError} that says by how much. */
export function refuseTooLong(signed: string, maxLength: number, externalRef: string): void {
  const { length } = new URL(signed).href; // as it is sent: what is beyond ASCII takes more
  const excess = length - maxLength;
  if (excess <= 0) return;
  const message = `has ${length} characters once it is signed, ${excess} more than maxLength allows (${maxLength})`;
  throw new InvalidRequestError([{ field: "postbackUrl", message }], contextOf(externalRef));
}

function contextOf(externalRef: unknown) {
  return { outcome: "not_sent", ...(typeof externalRef === "string" && { externalRef }) } as const;
}

function endOfLife(paymentMethod: OrderToSign["paymentMethod"]): number {
  // A URL of an unknown method must not end before the last chargeback of a card can come.
  const days = POSTBACK_URL_LIFETIME_DAYS[paymentMethod ?? "credit_card"];
  return Date.now() / 1000 + days * DAY_IN_SECONDS;
}
