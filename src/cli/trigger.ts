import { setTimeout } from "node:timers/promises";
import { Argument, type Command } from "commander";
import type { MoveName, PostbackDelivery, SandboxTransaction } from "../sandbox.ts";
import { commandLineOf, createCommand, parseWholeNumber } from "./command.ts";
import { Failure, usageFailure } from "./command-failure.ts";
import type { Context } from "./context.ts";
import { bold, Output } from "./output.ts";
import { readSettings } from "./settings.ts";
import { displayUrl, readWebUrl } from "./urls.ts";

const MOVES: readonly MoveName[] = ["pay", "expire", "refund", "med", "chargeback", "cancel"];

const DEFAULT_BASE_URL = "http://127.0.0.1:4010";

const POSTBACK_WAIT_MS = 5_000;

interface Flags {
  readonly baseUrl?: string;
  readonly amount?: number;
  readonly json?: true;
}

/** A transaction in the control API of the sandbox. */
interface Detail {
  readonly transaction: SandboxTransaction;
  /** Newest first. */
  readonly deliveries: readonly PostbackDelivery[];
}

export function triggerCommand(context: Context): Command {
  const command = createCommand(context, {
    name: "trigger",
    summary:
      "Change a transaction in a running sandbox: pay, expire, refund, return by MED, charge back or cancel it.",
    examples: [
      "payments trigger pay order-1",
      "payments trigger refund 5500123 --amount 990",
      "payments trigger expire latest --base-url http://127.0.0.1:4011",
    ],
  })
    .addArgument(new Argument("<event>", "the change").choices(MOVES))
    .argument("<id>", "id or externalRef of the transaction, or latest")
    .option("--amount <cents>", "amount to refund (default: all that remains)", parseWholeNumber)
    .option("--base-url <url>", `URL of the sandbox (default: PAYMENTS_BASE_URL or ${DEFAULT_BASE_URL})`);

  return command.action(async (move: MoveName, id: string, flags: Flags) => {
    const output = new Output(context, flags.json);
    if (flags.amount !== undefined && move !== "refund" && move !== "med") {
      throw usageFailure(commandLineOf(command), "--amount is for refund and med only.");
    }
    const setting = readSettings(context)("PAYMENTS_BASE_URL", flags.baseUrl) ?? DEFAULT_BASE_URL;
    const call = await connect(readWebUrl("--base-url", setting));

    const found = await call<Detail>("GET", `transactions/${encodeURIComponent(id)}`);
    const body = flags.amount === undefined ? {} : { amount: flags.amount };
    const moved = await call<Detail>("POST", `transactions/${found.transaction.id}/${move}`, body);
    const delivery = await firstAttempt(call, moved, found);

    const { id: transactionId, externalId, amount, refundedAmount, status } = moved.transaction;
    const result = { id: transactionId, externalRef: externalId, status, amount, refundedAmount };
    const { formatBRL } = await import("../index.ts");
    output.result({ ...result, postback: delivery ? toJson(delivery) : null }, () => {
      const name = externalId === undefined ? `${transactionId}` : `${transactionId} (${externalId})`;
      const refunded = refundedAmount > 0 ? `, ${formatBRL(refundedAmount)} refunded` : "";
      output.line(`Transaction ${name} is `, bold(status), `${refunded}.`);
      output.line(describePostback(moved.transaction, delivery));
    });
  });
}

type CallSandbox = <Result>(method: "GET" | "POST", path: string, body?: object) => Promise<Result>;

/** Returns a function that calls the control API. @throws {Failure} if no sandbox is at this URL. */
async function connect(baseUrl: URL): Promise<CallSandbox> {
  const shown = displayUrl(baseUrl);
  const advice = "Start one with payments sandbox, or pass its --base-url.";
  const send = async (method: string, path: string, body?: object) => {
    const url = `${shown}/sandbox/${path}`;
    const init = { method, redirect: "manual", signal: AbortSignal.timeout(10_000) } as const;
    const response = await fetch(url, body ? { ...init, body: JSON.stringify(body) } : init);
    return { response, received: await response.json().catch(() => undefined) };
  };

  const overview = await send("GET", "overview").catch(() => {
    throw new Failure("unreachable", `Cannot connect to a sandbox at ${shown}. ${advice}`);
  });
  if (!overview.response.ok || typeof overview.received?.companyName !== "string") {
    throw new Failure("not_a_sandbox", `${shown} is not a sandbox; nothing was changed. ${advice}`);
  }

  return async (method, path, body) => {
    const { response, received } = await send(method, path, body);
    if (response.ok) return received;
    const code = response.status === 404 ? "not_found" : "refused_by_sandbox";
    throw new Failure(code, String(received?.message ?? `The sandbox returned ${response.status}.`));
  };
}

/** Waits for the first attempt to send the postback of this change. Some changes have no postback. */
async function firstAttempt(call: CallSandbox, moved: Detail, before: Detail) {
  const deadline = Date.now() + POSTBACK_WAIT_MS;
  const known = before.deliveries.map(({ id }) => id);
  let { deliveries } = moved;

  for (;;) {
    const delivery = deliveries.find(({ id }) => !known.includes(id));
    if (!delivery || delivery.attempts.length > 0 || Date.now() > deadline) return delivery;
    await setTimeout(50);
    ({ deliveries } = await call<Detail>("GET", `transactions/${moved.transaction.id}`));
  }
}

/** Without the query of the URL, which may hold a signature. */
function toJson({ url, status, attempts }: PostbackDelivery): object {
  const short = attempts.map(({ status, error }) => (error === undefined ? { status } : { error }));
  return { url: displayUrl(new URL(url)), status, attempts: short };
}

function describePostback({ postBackUrl }: SandboxTransaction, delivery?: PostbackDelivery): string {
  if (!postBackUrl) return "No postback was sent: the transaction has no postbackUrl.";
  if (!delivery) return "No postback was sent for this change.";
  const url = displayUrl(new URL(delivery.url));
  const last = delivery.attempts.at(-1);
  if (!last) return `The postback to ${url} is not sent yet.`;
  const { status, error } = last;
  const result = status === undefined ? `failed: ${error}` : `response ${status}`;
  const next = delivery.status === "scheduled" ? " The sandbox will try again." : "";
  return `Postback to ${url}: ${result}.${next}`;
}
