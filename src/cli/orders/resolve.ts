import { createInterface } from "node:readline";
import {
  type Finding,
  InvalidRequestError,
  type OrderRecord,
  OutcomePendingError,
  type ResolvedOrder,
} from "../../idempotency.ts";
import { checkTransition } from "../../postbacks.ts";
import type { Context } from "../context.ts";
import { Failure, usageFailure } from "../failure.ts";
import { bold, createOutput, type Output } from "../output.ts";
import { createProgress } from "../progress.ts";
import type { OpenStore, StoreFlags } from "../store.ts";
import { stepsAfterResolving } from "./advice.ts";
import { findOrder } from "./find-order.ts";
import { describePayment, printOrder } from "./show.ts";
import type { KnownStatus } from "./values.ts";

export interface ResolveFlags extends StoreFlags {
  readonly json?: boolean;
  readonly attempt: number;
  readonly notCharged?: boolean;
  readonly transaction?: string;
  readonly status?: KnownStatus;
  readonly correct?: boolean;
  readonly yes?: boolean;
}

/** @throws {Failure} if nothing was recorded. */
export async function resolve(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  { finding, flags }: { readonly finding: Finding; readonly flags: ResolveFlags },
): Promise<void> {
  const output = createOutput(context, flags.json);
  const preview: Output = flags.json ? { ...output, line: output.note } : output;
  const order = await findOrder(opened, externalRef);
  if (!flags.correct) {
    assertIsLater(order, flags);
    await assertIsOfOrder(context, opened, externalRef, flags.transaction);
  }
  printOrder(order, preview);
  preview.line();
  preview.line(bold("To record: "), describeFinding(finding));
  preview.line(bold("Check with the service: "), describeCheck(order, finding));
  if (!flags.yes && !(await confirm(context))) throw new Failure("not_confirmed", "Nothing was recorded.");

  const resolved = await record(opened, order, finding);
  const status = statusOf(resolved, flags);
  const next = stepsAfterResolving(resolved, status);
  output.result({ externalRef, ...resolved, next }, () => {
    output.line();
    output.line(bold(`Recorded: ${externalRef} is ${describeResult(resolved, status)}.`));
    for (const step of next) output.line("  ", step);
  });
}

/**
 * A mistyped status must not free an order that is paid: the next create call would charge the customer again.
 *
 * @throws {Failure} `not_later` if the status cannot follow the one that the store has.
 */
function assertIsLater(
  { transactionId, transaction }: OrderRecord,
  { transaction: id, status }: ResolveFlags,
) {
  const before = transaction?.status;
  if (before === undefined || status === undefined || String(transactionId) !== id) return;
  const isUndecided = before === "pending" || before === "processing" || before === "unrecognized";
  if (isUndecided || ["advance", "repeat"].includes(checkTransition(before, status))) return;
  throw new Failure(
    "not_later",
    `Nothing was recorded: transaction ${id} is ${before} in the store and cannot become ${status}. If the store is wrong, add --correct.`,
  );
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
      if (order.externalRef === externalRef || !hasTransaction(order, id)) continue;
      const problem = `transaction ${id} belongs to order "${order.externalRef}"`;
      throw new Failure(
        "other_order",
        `Nothing was recorded: ${problem}. Check the reference "${externalRef}" with the service.`,
      );
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // a record that cannot be read: it must not block other orders
  } finally {
    progress.clear();
  }
}

function hasTransaction({ transactionId, earlierIds, possibleDuplicates }: OrderRecord, id: string): boolean {
  const others = possibleDuplicates.map((other) => other.id);
  return [transactionId, ...earlierIds, ...others].some((known) => String(known) === id);
}

/** @throws {Failure} `usage` */
export function toFinding(
  { attempt, notCharged, transaction, status }: ResolveFlags,
  commandLine: string,
): Finding {
  const isNamed = transaction !== undefined || status !== undefined;
  if (isNamed === (notCharged === true)) {
    throw usageFailure(commandLine, "Pass either --not-charged, or --transaction and --status.");
  }
  if (notCharged) return { charged: false, attempt };
  if (transaction === undefined || status === undefined) {
    throw usageFailure(commandLine, "Pass both --transaction and --status.");
  }
  return { transactionId: transaction, status, attempt };
}

function describeFinding(finding: Finding): string {
  const attempt = `attempt ${finding.attempt}`;
  if ("charged" in finding) return `${attempt} charged no one. The next create call for this order is sent.`;
  return `${attempt} is transaction ${finding.transactionId}, which is ${finding.status}.`;
}

/** What the service shows may lag. The specification names no limit: 15 minutes is an estimate. */
function adviseToWait({ since }: OrderRecord): string {
  const minutes = Math.floor((Date.now() - Date.parse(since)) / 60_000);
  return minutes < 15 ? ` It may lag: ${minutes} min have passed, wait until they are 15.` : "";
}

/** What to compare before this is recorded. */
function describeCheck(order: OrderRecord, finding: Finding): string {
  const { externalRef } = order;
  if ("charged" in finding)
    return `it has no transaction with reference ${externalRef}.${adviseToWait(order)}`;
  return `transaction ${finding.transactionId} has reference ${externalRef}, ${describePayment(order)}.`;
}

/** The order may have a different transaction from the one that was named. */
function statusOf({ transactionId, transaction }: ResolvedOrder, flags: ResolveFlags) {
  return transaction?.status ?? (String(transactionId) === flags.transaction ? flags.status : undefined);
}

function describeResult({ state, transactionId }: ResolvedOrder, status: string | undefined): string {
  const details = [transactionId && `transaction ${transactionId}`, status];
  return [state, ...details].filter((part) => part !== undefined).join(", ");
}

/** @throws {Failure} `not_confirmed` if stdin is not a terminal. */
async function confirm({ stdin, stderr }: Context): Promise<boolean> {
  if (!stdin.isTTY) {
    throw new Failure("not_confirmed", "Nothing was recorded: without a terminal, pass --yes.");
  }
  stderr.write("Record this? [y/N] ");
  const lines = createInterface({ input: stdin });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve).once("close", () => resolve(""));
    });
    return /^(y|yes)$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** @throws {Failure} `refused` if the store refuses the finding. */
async function record({ store }: OpenStore, order: OrderRecord, finding: Finding): Promise<ResolvedOrder> {
  try {
    return await store.resolve(order.externalRef, finding);
  } catch (error) {
    if (error instanceof OutcomePendingError)
      throw new Failure("refused", `Nothing was recorded. ${error.message}`);
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new Failure("refused", `Nothing was recorded: ${explainRefusal(order, finding, error)}.`);
  }
}

/** In words of the command line: the store names the fields of a {@link Finding}. */
function explainRefusal(
  { attempt, transactionId }: OrderRecord,
  finding: Finding,
  { issues }: InvalidRequestError,
): string {
  if (finding.attempt !== attempt) return `the latest is attempt ${attempt}, not ${finding.attempt}`;
  if (transactionId !== undefined) {
    return `the order has transaction ${transactionId}: pass --transaction ${transactionId} and its status`;
  }
  return issues.map(({ message }) => `this ${message}`).join("; ");
}
