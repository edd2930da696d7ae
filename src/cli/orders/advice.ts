import type { OrderRecord, ResolvedOrder, StoredTransaction, UnresolvedReason } from "../../idempotency.ts";
import type { TransactionStatus } from "../../postbacks.ts";
import type { KnownStatus } from "./values.ts";

/** The meaning of an order's state. */
export function describeState({ state, reason }: OrderRecord): string {
  if (state !== "unresolved") return STATES[state];
  return `it is not known whether the customer was charged: ${REASONS[reason ?? "no_answer"]}`;
}

const STATES: Readonly<Record<Exclude<OrderRecord["state"], "unresolved">, string>> = {
  claimed: "a process is sending the payment now",
  created: "the service has a transaction",
  free: "no one was charged",
};

const REASONS: Readonly<Record<UnresolvedReason, string>> = {
  no_answer: "the request was sent, and no usable response was received",
  no_end: "the process that sent the request never reported how it ended",
};

/**
 * What to do about an order, one step a line. Lines that begin with a space belong to the line before.
 *
 * @param suggest - A command that resolves this order, with these options.
 */
export function nextSteps(order: OrderRecord, suggest: (options: string) => string): readonly string[] {
  const { state } = order;
  if (state === "unresolved") return stepsForUnresolved(order, suggest);
  if (state === "free") return ["Nothing to do. The next create call with this reference is sent."];
  if (state === "claimed") {
    return [
      "Wait for it to finish. If its process crashed, the order becomes unresolved when the lease expires.",
    ];
  }
  return stepsForTransaction(order, (status) => `  ${suggest(`${optionsFor(order)} --status ${status}`)}`);
}

const optionsFor = ({ attempt, transactionId }: OrderRecord) =>
  `--attempt ${attempt} --transaction ${transactionId}`;

function stepsForTransaction(
  { transactionId, transaction }: OrderRecord,
  suggest: (status: string) => string,
): readonly string[] {
  if (transaction === undefined || transaction.status === "unrecognized") {
    return [
      `Check transaction ${transactionId} with the service (dashboard or support), and record its status:`,
      suggest("<status>"),
    ];
  }
  if (isLostPix(transaction)) {
    return [LOST_PIX, "If the service confirms that the pix has expired:", suggest("expired")];
  }
  const { status } = transaction;
  const isUndecided = status === "pending" || status === "processing";
  return [
    STEPS[status],
    ...(isUndecided ? ["If the service confirms that it is paid:", suggest("approved")] : []),
  ];
}

function isLostPix({ status, paymentMethod, pix }: StoredTransaction): boolean {
  return status === "pending" && paymentMethod === "pix" && !pix?.qrcodeText;
}

function stepsForUnresolved(
  { externalRef, attempt, paymentMethod, earlierIds }: OrderRecord,
  suggest: (options: string) => string,
): readonly string[] {
  const earlier =
    earlierIds.length > 0 ? ` Ignore ${earlierIds.join(", ")}: they belong to earlier attempts.` : "";
  const isPix = paymentMethod === "pix";
  const status = isPix ? "expired" : "<status>";
  return [
    ...(isPix ? [`Its code was lost, so the SDK assumes that no one can pay it. ${REPLACE_PIX}`] : []),
    `Check with the service (dashboard or support) whether transactions with the reference ${externalRef} exist.${earlier}`,
    isPix
      ? "If there is one, wait until it expires: its postback settles the order. If no postback arrives, record that:"
      : "If there is one, record its id and its status:",
    `  ${suggest(`--attempt ${attempt} --transaction <id> --status ${status}`)}`,
    "If there is none after 15 minutes, record that. The next create call is then sent and charges the customer:",
    `  ${suggest(`--attempt ${attempt} --not-charged`)}`,
  ];
}

const REPLACE_PIX = "createPix(params, { replaceLost: true }) creates a new code.";
const LOST_PIX = `Its code was lost, so the SDK assumes that no one can pay it. Do not ship it. A create call without replaceLost fails: ${REPLACE_PIX}`;

const STEPS: Readonly<Record<KnownStatus, string>> = {
  approved: "It is paid. Ship it if your shop has not done so.",
  pending: "Wait for the payment. Do not ship it yet.",
  processing: "Wait for the payment. Do not ship it yet.",
  refunded: "It was refunded. Do not ship it.",
  chargedback: "It was charged back. Do not ship it.",
  refused: "It is not paid. Do not ship it.",
  cancelled: "It is not paid. Do not ship it.",
  expired: "It is not paid. Do not ship it.",
};

/**
 * What the shop has to do after an order was resolved by hand.
 *
 * @param status - Of the transaction that the order has now; missing if it is not known.
 */
export function stepsAfterResolving(
  { state, transactionId, transaction }: ResolvedOrder,
  status: TransactionStatus = "unrecognized",
): readonly string[] {
  const update = "onPostback does not run for this change: update your shop's orders table yourself.";
  if (state === "free") {
    return [update, "The next create call with this reference is sent: the customer can pay again."];
  }
  if (transaction !== undefined && isLostPix(transaction)) return [update, LOST_PIX];
  const step =
    status === "unrecognized" ? `Check transaction ${transactionId} with the service.` : STEPS[status];
  return [update, step, "From now on, create calls with this reference return this transaction."];
}

/** Other transactions of the same order that may have charged the customer; `undefined` if there are none. */
export function warnOfDuplicates({ possibleDuplicates }: OrderRecord): string | undefined {
  if (possibleDuplicates.length === 0) return undefined;
  const names = possibleDuplicates.map(({ id, status }) => `${id} (${status})`).join(", ");
  return `Possibly charged twice: check ${names} with the service too, and have any duplicate charge refunded.`;
}
