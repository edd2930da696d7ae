import type {
  OpenPostback,
  OrderRecord,
  ResolvedOrder,
  StoredTransaction,
  UnresolvedReason,
} from "../../idempotency.ts";
import type { TransactionStatus } from "../../postbacks.ts";

/** Whether the shop's handler may ship at any moment: then no one should do it by hand. */
export const areRunning = (postbacks: readonly OpenPostback[]) =>
  postbacks.length > 0 && postbacks.every(({ state }) => state === "running");

/** The record of the order's postbacks is damaged. */
export const isUnreadable = ({ lastError }: OpenPostback) => lastError?.name === "UnreadableRecord";

export type KnownStatus = Exclude<TransactionStatus, "unrecognized">;

export function describeState({ state, reason }: OrderRecord): string {
  const meaning = STATES[state];
  return state === "unresolved" ? `${meaning} (${REASONS[reason ?? "no_response"]})` : meaning;
}

const STATES: Readonly<Record<OrderRecord["state"], string>> = {
  unresolved: "it is not known whether the customer was charged",
  claimed: "a process is sending the payment now",
  created: "the service has a transaction",
  free: "no one was charged",
};

export const ORDER_STATES = Object.keys(STATES);

const REASONS: Readonly<Record<UnresolvedReason, string>> = {
  no_response: "the request got no usable response",
  not_reported: "the process never reported how it ended",
};

/** What a transaction was paid with, in cents: `paidAmount` is 0 in the response to a create request. */
export function amountPaid({ paidAmount, amount }: StoredTransaction): number {
  return paidAmount || amount;
}

/**
 * What to do about an order, one step a line. Lines that begin with a space belong to the line before.
 *
 * @param suggest - Returns a command that resolves this order, with these options.
 */
export function nextSteps(order: OrderRecord, suggest: (options: string) => string): readonly string[] {
  const { state, attempt, transactionId, transaction } = order;
  if (state === "unresolved") return stepsForUnresolved(order, suggest);
  if (state === "free") return [`Nothing to do. ${NEXT_IS_SENT}`];
  if (state === "claimed") {
    return ["Wait for it to finish. If its process crashed, the order becomes unresolved in about a minute."];
  }
  const record = (status: string) =>
    `  ${suggest(`--attempt ${attempt} --transaction ${transactionId} --status ${status}`)}`;
  const status = transaction?.status;
  if (transaction === undefined || status === undefined || status === "unrecognized") {
    const check = `Check transaction ${transactionId} with the service (dashboard or support), and record its status:`;
    return [check, record("<status>")];
  }
  if (isLostPix(transaction)) {
    return [LOST_PIX, "If the service confirms that the pix has expired:", record("expired")];
  }
  if (status === "approved" && amountPaid(transaction) !== order.amount) {
    const isWhole = "If the service confirms that the whole amount is paid:";
    return [OTHER_AMOUNT, isWhole, record("approved")];
  }
  const step = STEPS[status];
  if (status === "approved") return [step, UNLESS_REVIEWED];
  if (status !== "pending" && status !== "processing") return [step];
  return [step, "If the service confirms that it is paid:", record("approved")];
}

/** What to do if a person has mistyped the transaction of an order; nothing if the service has named it. */
export function stepsForMistake(
  { attempt, isByHand }: OrderRecord,
  suggest: (options: string) => string,
): readonly string[] {
  if (isByHand !== true) return [];
  const step = "A person recorded this transaction. If it is not the one of this order, replace it:";
  return [step, `  ${suggest(`--attempt ${attempt} --transaction <id> --status <status> --correct`)}`];
}

/**
 * What to do about the open postbacks of an order, in lines as those of {@link nextSteps}.
 *
 * @param suggest - Returns a command for this order, with these options.
 */
export function stepsForPostbacks(
  postbacks: readonly OpenPostback[],
  suggest: (command: string, options: string) => string,
): readonly string[] {
  if (postbacks.length === 0) return [];
  const close = `  ${suggest("postbacks close", "")}`;
  if (postbacks.some(isUnreadable)) {
    return [
      `${UNREADABLE} Check the order with the service, do by hand what it needs, and remove the record:`,
      close,
    ];
  }
  if (areRunning(postbacks)) {
    return ["Its open postbacks are running. Wait a minute, and run this command again."];
  }
  return [
    "Your callback has not succeeded for the open postbacks. Fix the cause, and deliver them:",
    `  ${suggest("postbacks deliver", "--to <url>")}`,
    "If you do by hand what the order needs, end them: otherwise your callback does it again.",
    close,
  ];
}

function isLostPix({ status, paymentMethod, pix }: StoredTransaction): boolean {
  return status === "pending" && paymentMethod === "pix" && !pix?.qrcodeText;
}

function stepsForUnresolved(
  { externalRef, attempt, paymentMethod, earlierIds }: OrderRecord,
  suggest: (options: string) => string,
): readonly string[] {
  const earlier = earlierIds.length > 0 ? ` Ignore ${earlierIds.join(", ")}, of earlier attempts.` : "";
  const isPix = paymentMethod === "pix";
  const status = isPix ? "expired" : "<status>";
  return [
    ...(isPix ? [`${LOST_CODE} ${REPLACE_PIX}`] : []),
    `Check with the service (dashboard or support) whether transactions with the reference ${externalRef} exist.${earlier}`,
    isPix
      ? "If there is one, wait until it expires: its postback resolves the order. If no postback arrives, record that:"
      : "If there is one, record its id and its status:",
    `  ${suggest(`--attempt ${attempt} --transaction <id> --status ${status}`)}`,
    "If there is none after 15 minutes, record that. The next create call is then sent and charges the customer:",
    `  ${suggest(`--attempt ${attempt} --not-charged`)}`,
  ];
}

const NEXT_IS_SENT = "The next create call with this reference is sent.";

const LOST_CODE = "Its code was lost, so the SDK assumes that no one can pay it.";

const REPLACE_PIX = "createPix(params, { replaceLost: true }) creates a new code.";

const LOST_PIX = `${LOST_CODE} Do not ship it. A create call without replaceLost fails: ${REPLACE_PIX}`;

export const UNREADABLE = "The record of its postbacks cannot be read, so nothing can be delivered.";

/** The store does not know what `onReview` reported. */
const UNLESS_REVIEWED = "If onReview reported this payment, a person must decide: see docs/on-call.md.";

const OTHER_AMOUNT = "It is approved over another amount. Do not ship it. Check it with the service.";

const WAIT = "Wait for the payment. Do not ship it yet.";
const NOT_PAID = "It is not paid. Do not ship it.";

const STEPS: Readonly<Record<KnownStatus, string>> = {
  pending: WAIT,
  processing: WAIT,
  approved: "It is paid. Ship it if your shop has not done so.",
  refused: NOT_PAID,
  cancelled: NOT_PAID,
  expired: NOT_PAID,
  refunded: "It was refunded. Do not ship it.",
  chargedback: "It was charged back. Do not ship it.",
};

export const TRANSACTION_STATUSES = Object.keys(STEPS);

/** Whether a transaction pays for the whole order. */
export function isPaid({ transaction }: ResolvedOrder, amount: number): boolean {
  return transaction?.status === "approved" && amountPaid(transaction) === amount;
}

/**
 * What the shop has to do after an order was resolved by hand.
 *
 * @param details.amount - Of the order, in cents.
 * @param details.status - Of the transaction that the order has now; missing if it is not known.
 * @param details.deliverCommand - Sends the payment of the order to the shop's handler; missing if that may not ship it.
 */
export function stepsAfterResolving(
  resolved: ResolvedOrder,
  details: {
    readonly amount: number;
    readonly status: TransactionStatus | undefined;
    readonly deliverCommand: string | undefined;
    /** Whether that is done next: then no one has to ship by hand. */
    readonly isDelivering: boolean;
  },
): readonly string[] {
  const { state, transactionId, transaction } = resolved;
  const { amount, status = "unrecognized", deliverCommand, isDelivering } = details;
  const update =
    "No callback of your handler runs for this change: update your shop's orders table yourself.";
  if (state === "free") return [update, `${NEXT_IS_SENT} The customer can pay again.`];
  const last = "From now on, create calls with this reference return this transaction.";
  if (status === "unrecognized") {
    return [update, `Check transaction ${transactionId} with the service.`, last];
  }
  const step = STEPS[status];
  if (transaction === undefined) return [update, step, last]; // no postback can have its id
  if (isLostPix(transaction)) return [update, LOST_PIX];
  if (status !== "approved") return [update, step, last];
  if (!isPaid(resolved, amount)) return [update, OTHER_AMOUNT, last];
  if (deliverCommand === undefined) return [update, step, BY_HAND, last];
  if (isDelivering) return [last];
  const deliver = "Or let your handler do it, unless onReview has reported this payment:";
  return [update, step, deliver, `  ${deliverCommand}`, last];
}

/** The first postback of another transaction made the mistake the winner of the order, and the winner does not change. */
const BY_HAND =
  "Do it by hand: your handler may take this payment for a second one, and call onReview. If it is refunded, no callback may run.";

/** Names other orders that have the transaction of an order; `undefined` if there are none. */
export function warnOfSharing(
  id: number | string | undefined,
  references: readonly string[],
): string | undefined {
  if (references.length === 0) return undefined;
  const names = references.map((reference) => JSON.stringify(reference)).join(", ");
  return `Warning: transaction ${id} is also recorded for ${names}. Check its reference with the service, and correct the order that it does not belong to.`;
}

/** Names other transactions of the order that may have charged the customer; `undefined` if there are none. */
export function warnOfDuplicates({ possibleDuplicates }: OrderRecord): string | undefined {
  if (possibleDuplicates.length === 0) return undefined;
  const names = possibleDuplicates.map(({ id, status }) => `${id} (${status})`).join(", ");
  return `Possibly charged twice: check ${names} with the service too, and have any duplicate charge refunded.`;
}
