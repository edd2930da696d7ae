import {
  type IdempotencyStore,
  InvalidRequestError,
  type OrderRecord,
  OutcomePendingError,
  type ResolvedOrder,
} from "../../idempotency.ts";
import { checkTransition } from "../../postbacks.ts";
import { quoteForShell } from "../command.ts";
import { Failure, usageFailure } from "../command-failure.ts";
import { ask, confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import type { OpenStore, StoreFlags } from "../open-store.ts";
import { bold, Output } from "../output.ts";
import { createSign, type DeliverFlags, deliverPostbacks } from "../postbacks/deliver-postbacks.ts";
import { readSettings } from "../settings.ts";
import { displayUrl } from "../urls.ts";
import { isPaid, type KnownStatus, stepsAfterResolving, warnOfSharing } from "./order-advice.ts";
import { describePayment, findOrder, findOrdersWith, printOrder, suggestCommand } from "./show-order.ts";

export interface ResolveFlags extends StoreFlags {
  readonly attempt: number;
  readonly notCharged?: boolean;
  readonly transaction?: string;
  readonly status?: KnownStatus;
  readonly correct?: boolean;
  readonly early?: boolean;
  readonly deliverTo?: string;
  readonly yes?: boolean;
}

/** What to record about an attempt: its transaction, or that it has none. */
type Resolution = Parameters<IdempotencyStore["resolve"]>[1];

/** @throws {Failure} if nothing was recorded, and if the payment was not delivered. */
export async function resolveOrder(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  { resolution, flags }: { readonly resolution: Resolution; readonly flags: ResolveFlags },
): Promise<void> {
  const output = new Output(context, flags.json);
  const previewContext = flags.json ? { ...context, stdout: context.stderr } : context;
  const preview = new Output(previewContext);
  const order = await findOrder(opened, externalRef);
  if (order.state === "claimed") throw inProgress(); // also if it ends while this command asks
  const finding = { ...resolution, ...findMistake(order, flags) };
  const handler = await findHandler(context, flags);
  if (!flags.correct) assertIsLater(order, flags);
  const sharers = await findOrdersWith(context, opened, externalRef, flags.transaction);
  if (!flags.correct) assertIsOfOrder(externalRef, flags.transaction, sharers);
  const tooEarly = checkAge(order, flags, isProven(order, flags, sharers));

  printOrder(order, preview);
  preview.line();
  preview.line(bold("To record: "), describeResolution(finding));
  preview.line(bold("Check with the service: "), describeCheck(order, finding));
  preview.warn(warnOfSharing(flags.transaction, sharers));
  if (!flags.yes) await confirm(context, "Record this?", NOTHING);
  if (tooEarly !== undefined) await confirm(context, `${tooEarly} Record it now?`, NOTHING);

  const resolved = await record(opened, order, finding);
  const { state, transactionId, transaction } = resolved;
  // The order may have a different transaction from the one that was named.
  const named = String(transactionId) === flags.transaction ? flags.status : undefined;
  const status = transaction?.status ?? named;
  const command = suggestCommand("postbacks deliver", externalRef, "--to <url>", flags);
  const deliverCommand = isWinnerKnown(order, finding) ? command : undefined;
  const isDelivering = flags.deliverTo !== undefined;
  const next = stepsAfterResolving(resolved, { amount: order.amount, status, deliverCommand, isDelivering });
  output.result({ externalRef, ...resolved, next }, () => {
    const details = [state, transactionId && `transaction ${transactionId}`, status];
    const recorded = details.filter((part) => part !== undefined).join(", ");
    output.line();
    output.line(bold(`Recorded: ${externalRef} is ${recorded}.`));
    for (const step of next) output.line("  ", step);
  });

  const isDeliverable = deliverCommand !== undefined && isPaid(resolved, order.amount);
  if (isDeliverable && handler) await deliver(previewContext, opened, externalRef, { ...flags, to: handler });
  else if (flags.deliverTo) throw new Failure("not_delivered", "It is recorded, but nothing was delivered.");
}

const NOTHING = "Nothing was recorded";

/**
 * The URL of the shop's handler: of `--deliver-to`, or to ask for in a terminal.
 *
 * @throws {Failure} if nothing can be delivered to `--deliver-to`.
 */
async function findHandler(context: Context, flags: ResolveFlags): Promise<string | undefined> {
  if (flags.deliverTo !== undefined) {
    await createSign(context, flags.deliverTo).catch(({ code, message }: Failure) => {
      throw new Failure(code, `${NOTHING}. ${message}`);
    });
    return flags.deliverTo;
  }
  const url = readSettings(context)("PAYMENTS_POSTBACK_URL");
  const canAsk = context.stdin.isTTY && !flags.yes && !flags.json && flags.status === "approved";
  if (url === undefined || !canAsk) return undefined;
  return createSign(context, url).then(
    () => url,
    () => undefined,
  );
}

async function deliver(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  flags: ResolveFlags & DeliverFlags,
): Promise<void> {
  const { to, deliverTo } = flags;
  const url = displayUrl(new URL(to));
  if (!deliverTo && !(await ask(context, `Deliver it to ${url} now?`))) return;
  try {
    await deliverPostbacks(context, opened, externalRef, { ...flags, json: false });
  } catch (error) {
    const command = suggestCommand("postbacks deliver", externalRef, `--to ${quoteForShell(to)}`, flags);
    new Output(context).note(`It is recorded, but not delivered. Fix the cause, then: ${command}`);
    throw error;
  }
}

/** With `--correct`, the transaction that the order has by mistake. */
function findMistake({ transactionId: id }: OrderRecord, { correct, transaction }: ResolveFlags) {
  return correct && id !== undefined && String(id) !== transaction ? { replaces: id } : undefined;
}

/** Whether no postback can have made the mistake the winner of the order: that takes one of another transaction. */
function isWinnerKnown(order: OrderRecord, { replaces }: Resolution): boolean {
  const { transaction, earlierIds, possibleDuplicates, unchargedIds = [] } = order;
  const wasPaid = ["approved", "refunded", "chargedback"].includes(transaction?.status ?? "");
  const hasOthers = [...earlierIds, ...possibleDuplicates, ...unchargedIds].length > 0;
  return replaces === undefined || !wasPaid || !hasOthers;
}

/**
 * A mistyped status must not free an order that is paid: the next create call would charge the customer again.
 *
 * @throws {Failure} `not_later` if the status cannot follow the one that the store has.
 */
function assertIsLater(order: OrderRecord, { transaction: id, status }: ResolveFlags): void {
  const before = order.transaction?.status;
  if (before === undefined || status === undefined || String(order.transactionId) !== id) return;
  const isUndecided = before === "pending" || before === "processing" || before === "unrecognized";
  if (isUndecided || ["advance", "repeat"].includes(checkTransition(before, status))) return;
  const problem = `transaction ${id} is ${before} in the store and cannot become ${status}. If the store is wrong, add --correct.`;
  throw new Failure("not_later", `${NOTHING}: ${problem}`);
}

/**
 * An id copied from the wrong row would ship an unpaid order.
 *
 * @throws {Failure} `other_order` if another order has the transaction.
 */
function assertIsOfOrder(externalRef: string, id: string | undefined, [sharer]: readonly string[]): void {
  if (sharer === undefined) return;
  const problem = `transaction ${id} belongs to order "${sharer}". Check the reference "${externalRef}" with the service.`;
  throw new Failure("other_order", `${NOTHING}: ${problem}`);
}

/** @throws {Failure} `usage` */
export function toResolution(
  { attempt, notCharged, transaction, status, deliverTo }: ResolveFlags,
  commandLine: string,
): Resolution {
  if (deliverTo !== undefined && status !== "approved") {
    throw usageFailure(commandLine, "--deliver-to needs --status approved.");
  }
  if (notCharged) {
    if (transaction === undefined && status === undefined) return { charged: false, attempt };
  } else if (transaction !== undefined && status !== undefined) {
    return { transactionId: transaction, status, attempt };
  }
  throw usageFailure(commandLine, "Pass either --not-charged, or both --transaction and --status.");
}

const isUncharged = (status: KnownStatus | undefined) =>
  status === "refused" || status === "cancelled" || status === "expired";

function describeResolution(resolution: Resolution): string {
  const { attempt, replaces } = resolution;
  const forgotten = `Transaction ${replaces} was recorded by mistake, and is forgotten.`;
  const mistake = replaces === undefined ? "" : ` ${forgotten}`;
  const isSent = " The next create call for this order is sent.";
  if ("charged" in resolution) {
    return `attempt ${attempt} charged no one.${mistake}${isSent}`;
  }
  const { transactionId: id, status } = resolution;
  return `attempt ${attempt} is transaction ${id}, which is ${status}.${mistake}${isUncharged(status) ? isSent : ""}`;
}

/** What to compare before this is recorded. */
function describeCheck(order: OrderRecord, resolution: Resolution): string {
  const reference = `has reference ${order.externalRef}`;
  if ("charged" in resolution) return `no transaction ${reference}.`;
  return `transaction ${resolution.transactionId} ${reference}, ${describePayment(order)}.`;
}

/** The specification does not limit how long the service takes to show a transaction: 15 minutes is an estimate. */
const LAG_MINUTES = 15;

/** Whether no one doubts that the transaction of the order is its own: with --correct, a person does. */
const isProven = (order: OrderRecord, { correct }: ResolveFlags, sharers: readonly string[]) =>
  !correct && !order.isByHand && sharers.length === 0;

/**
 * Why it is too early to free the order; `undefined` if it is not, or with `--early`.
 *
 * @param hasProof - See {@link isProven}.
 * @throws {Failure} `too_early` if no one can be asked.
 */
function checkAge(
  { since, state, attempt }: OrderRecord,
  flags: ResolveFlags,
  hasProof: boolean,
): string | undefined {
  const mayFree = flags.attempt === attempt && (state === "unresolved" || !hasProof);
  const minutes = Math.floor((Date.now() - Date.parse(since)) / 60_000);
  if (!mayFree || !(flags.notCharged || isUncharged(flags.status))) return undefined;
  if (flags.early || minutes >= LAG_MINUTES) return undefined;
  const tooEarly = `Only ${minutes} min have passed since the last change, not ${LAG_MINUTES}. If the service shows a transaction later, the customer pays twice.`;
  if (!flags.yes) return tooEarly;
  throw new Failure("too_early", `${NOTHING}. ${tooEarly} Wait, or add --early.`);
}

/** Also if `orders show` reports the order as unresolved, because its process is silent: the lease has not ended yet. */
function inProgress(): Failure {
  const problem = "a call for this order may be in progress. Run this command again in a minute.";
  return new Failure("refused", `${NOTHING}: ${problem}`);
}

/** @throws {Failure} `refused` if the store refuses the resolution. */
async function record(
  { store }: OpenStore,
  { externalRef, attempt, transactionId }: OrderRecord,
  resolution: Resolution,
): Promise<ResolvedOrder> {
  const refused = (why: string) => new Failure("refused", `${NOTHING}: ${why}`);
  try {
    return await store.resolve(externalRef, resolution);
  } catch (error) {
    if (error instanceof OutcomePendingError) throw inProgress();
    if (!(error instanceof InvalidRequestError)) throw error;
    // The store names its own fields, so the message names the options of this command.
    if (resolution.attempt !== attempt) throw refused(`the latest is attempt ${attempt}. ${SHOW_AGAIN}`);
    if (transactionId !== undefined && resolution.replaces === undefined) {
      throw refused(
        `the order has transaction ${transactionId}: pass it with its status, or add --correct if it is a mistake.`,
      );
    }
    const problem = error.issues.map(({ message }) => `this ${message}`).join("; ");
    if (resolution.replaces === undefined || !problem.includes("cannot replace"))
      throw refused(`${problem}.`);
    if (problem.includes("not that of the order"))
      throw refused(`the order was changed meanwhile. ${SHOW_AGAIN}`);
    // Freeing the order would let the customer pay a second time.
    throw refused(
      `transaction ${transactionId} cannot be replaced: a response or a signed postback has named it. If it is a mistake, do not free the order: stop its payment page and settle it by hand, see docs/on-call.md.`,
    );
  }
}

const SHOW_AGAIN = "Run orders show again.";
