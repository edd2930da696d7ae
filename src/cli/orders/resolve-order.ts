import {
  type IdempotencyStore,
  InvalidRequestError,
  type OrderRecord,
  OutcomePendingError,
  type ResolvedOrder,
} from "../../idempotency.ts";
import { checkTransition } from "../../postbacks.ts";
import { Failure, usageFailure } from "../command-failure.ts";
import { confirm } from "../confirm.ts";
import type { Context } from "../context.ts";
import type { OpenStore, StoreFlags } from "../open-store.ts";
import { bold, createProgress, Output } from "../output.ts";
import { type KnownStatus, stepsAfterResolving } from "./order-advice.ts";
import { describePayment, findOrder, printOrder, suggestCommand } from "./show-order.ts";

export interface ResolveFlags extends StoreFlags {
  readonly attempt: number;
  readonly notCharged?: boolean;
  readonly transaction?: string;
  readonly status?: KnownStatus;
  readonly correct?: boolean;
  readonly yes?: boolean;
}

/** What to record about an attempt: its transaction, or that it has none. */
type Resolution = Parameters<IdempotencyStore["resolve"]>[1];

/** @throws {Failure} if nothing was recorded. */
export async function resolveOrder(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  { resolution, flags }: { readonly resolution: Resolution; readonly flags: ResolveFlags },
): Promise<void> {
  const output = new Output(context, flags.json);
  const preview = flags.json ? new Output({ ...context, stdout: context.stderr }) : output;
  const order = await findOrder(opened, externalRef);
  if (!flags.correct) {
    assertIsLater(order, flags);
    await assertIsOfOrder(context, opened, externalRef, flags.transaction);
  }
  printOrder(order, preview);
  preview.line();
  preview.line(bold("To record: "), describeResolution(resolution));
  preview.line(bold("Check with the service: "), describeCheck(order, resolution));
  if (!flags.yes) await confirm(context, "Record this?", "Nothing was recorded");

  const resolved = await record(opened, order, resolution);
  const { state, transactionId, transaction } = resolved;
  // The order may have a different transaction from the one that was named.
  const named = String(transactionId) === flags.transaction ? flags.status : undefined;
  const status = transaction?.status ?? named;
  const deliverCommand = suggestCommand("postbacks deliver", externalRef, "--to <url>", flags);
  const next = stepsAfterResolving(resolved, { amount: order.amount, status, deliverCommand });
  output.result({ externalRef, ...resolved, next }, () => {
    const details = [state, transactionId && `transaction ${transactionId}`, status];
    const recorded = details.filter((part) => part !== undefined).join(", ");
    output.line();
    output.line(bold(`Recorded: ${externalRef} is ${recorded}.`));
    for (const step of next) output.line("  ", step);
  });
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
  const problem = `transaction ${id} is ${before} in the store and cannot become ${status}`;
  throw new Failure("not_later", `Nothing was recorded: ${problem}. If the store is wrong, add --correct.`);
}

/**
 * An id copied from the wrong row would ship an unpaid order. This reads all orders: a store has no
 * index by transaction.
 *
 * @throws {Failure} `other_order` if another order has the transaction.
 */
async function assertIsOfOrder(
  context: Context,
  { store }: OpenStore,
  externalRef: string,
  id: string | undefined,
): Promise<void> {
  if (id === undefined) return;
  const progress = createProgress(context, "orders read");
  try {
    for await (const order of store.list()) {
      progress.count();
      const { transactionId, earlierIds, possibleDuplicates } = order;
      const ids = [transactionId, ...earlierIds, ...possibleDuplicates.map((duplicate) => duplicate.id)];
      if (order.externalRef === externalRef || !ids.some((known) => String(known) === id)) continue;
      const problem = `transaction ${id} belongs to order "${order.externalRef}"`;
      const advice = `Check the reference "${externalRef}" with the service.`;
      throw new Failure("other_order", `Nothing was recorded: ${problem}. ${advice}`);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a damaged record must not block other orders
  } finally {
    progress.clear();
  }
}

/** @throws {Failure} `usage` */
export function toResolution(
  { attempt, notCharged, transaction, status }: ResolveFlags,
  commandLine: string,
): Resolution {
  if (notCharged) {
    if (transaction === undefined && status === undefined) return { charged: false, attempt };
  } else if (transaction !== undefined && status !== undefined) {
    return { transactionId: transaction, status, attempt };
  }
  throw usageFailure(commandLine, "Pass either --not-charged, or both --transaction and --status.");
}

function describeResolution(resolution: Resolution): string {
  const attempt = `attempt ${resolution.attempt}`;
  if ("charged" in resolution)
    return `${attempt} charged no one. The next create call for this order is sent.`;
  return `${attempt} is transaction ${resolution.transactionId}, which is ${resolution.status}.`;
}

/** The specification does not limit how long the service takes to show a transaction: 15 minutes is an estimate. */
const LAG_MINUTES = 15;

/** What to compare before this is recorded. */
function describeCheck(order: OrderRecord, resolution: Resolution): string {
  const { externalRef, since } = order;
  if (!("charged" in resolution)) {
    return `transaction ${resolution.transactionId} has reference ${externalRef}, ${describePayment(order)}.`;
  }
  const minutes = Math.floor((Date.now() - Date.parse(since)) / 60_000);
  const wait = ` It may lag: ${minutes} min have passed, wait until they are ${LAG_MINUTES}.`;
  return `it has no transaction with reference ${externalRef}.${minutes < LAG_MINUTES ? wait : ""}`;
}

/** @throws {Failure} `refused` if the store refuses the resolution. */
async function record(
  { store }: OpenStore,
  { externalRef, attempt, transactionId }: OrderRecord,
  resolution: Resolution,
): Promise<ResolvedOrder> {
  const refused = (why: string) => new Failure("refused", `Nothing was recorded${why}`);
  try {
    return await store.resolve(externalRef, resolution);
  } catch (error) {
    if (error instanceof OutcomePendingError) throw refused(`. ${error.message}`);
    if (!(error instanceof InvalidRequestError)) throw error;
    // The store names its own fields, so the message names the options of this command.
    if (resolution.attempt !== attempt) {
      throw refused(`: the latest is attempt ${attempt}, not ${resolution.attempt}.`);
    }
    if (transactionId !== undefined) {
      const options = `pass --transaction ${transactionId} and its status`;
      throw refused(`: the order has transaction ${transactionId}: ${options}.`);
    }
    throw refused(`: ${error.issues.map(({ message }) => `this ${message}`).join("; ")}.`);
  }
}
