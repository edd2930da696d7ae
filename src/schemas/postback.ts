import * as z from "zod/mini";
import type { TransactionStatus } from "../spec/values.ts";
import { Integer } from "./integer.ts";
import { say } from "./message.ts";

/**
 * A notification that a transaction's status changed. It is unsigned, and may come twice, late or out of
 * order.
 *
 * Spec: "Postback notification".
 */
export interface Postback {
  /** Transaction identifier. */
  id: number;
  /** The new status; `unrecognized` for one that the specification does not name. */
  status: TransactionStatus;
  /** The status exactly as it came. */
  rawStatus: string;
  /** Cents. */
  amount: number;
  /** The merchant's reference; a pix may have none. */
  externalRef?: string;
  /** ISO 8601 UTC, as it came. */
  transactionDate?: string;
  /** The body as it came. Not enumerable. */
  readonly raw: unknown;
}

const optionalText = z.optional(z.nullable(z.string(say("must be a string"))));

export const PostbackBody = z.object(
  {
    id: z.pipe(Integer, z.int().check(z.positive("must be above zero"))),
    status: z.string(say("must be a string")).check(z.minLength(1, "must not be empty")),
    amount: z.pipe(Integer, z.int().check(z.nonnegative("must not be negative"))),
    externalRef: optionalText,
    transactionDate: optionalText,
  },
  say("must be a JSON object"),
);
