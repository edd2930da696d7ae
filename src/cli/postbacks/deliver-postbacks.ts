import type { OpenPostback, OrderRecord } from "../../idempotency.ts";
import { formatBRL } from "../../index.ts";
import type { InvalidRequestError } from "../../postbacks.ts";
import { Failure, Reported } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { OpenStore, StoreFlags } from "../open-store.ts";
import { amountPaid, isUnreadable, UNREADABLE } from "../orders/order-advice.ts";
import { green, Output, red } from "../output.ts";
import { readSettings, readSigner } from "../settings.ts";
import { isLoopback, readWebUrl } from "../urls.ts";
import { nameOf, noOpenPostbacks, readOpenPostbacks } from "./open-postbacks.ts";

export interface DeliverFlags extends StoreFlags {
  readonly to: string;
  readonly id?: string;
}

type PostbackToSend = Pick<OpenPostback, "id" | "rawStatus" | "amount" | "transactionDate" | "signedAmount"> &
  Partial<Pick<OpenPostback, "state">>;

const URL_LIFETIME_MS = 5 * 60_000;

const TIMEOUT_MS = 60_000;

const DUPLICATE =
  "No callback ran: the handler has handled this postback before, by onPaid or onReview, or it was closed. If it was a review, and the order is paid, ship it by hand.";

const REVIEWED =
  "onReview ran, and shipped nothing. Your log has its reason. If the order is paid, ship it by hand: see docs/on-call.md.";

/** @throws {Failure} if nothing was sent, and {Reported} after a response that is not 2xx. */
export async function deliverPostbacks(
  context: Context,
  opened: OpenStore,
  externalRef: string,
  flags: DeliverFlags,
): Promise<void> {
  const output = new Output(context, flags.json);
  const sign = await createSign(context, flags.to);
  const order = await opened.store.get(externalRef);
  const open = await readOpenPostbacks(opened, externalRef);
  if (open.some(isUnreadable)) {
    const advice = "Act on the order by hand, and remove the record with payments postbacks close.";
    throw new Failure("unreadable_record", `${UNREADABLE} ${advice}`);
  }
  const postbacks = choosePostbacks(open, order, flags.id, output);
  if (postbacks.length === 0) throw noOpenPostbacks(opened, externalRef);

  for (const [index, postback] of postbacks.entries()) {
    const { id, rawStatus: status, amount, signedAmount = order?.amount } = postback;
    if (signedAmount === undefined) {
      const name = nameOf(postback);
      output.note(`The amount of the order is not known: the URL is signed for that of ${name}.`);
    }
    const url = await sign(externalRef, signedAmount ?? amount);
    const { delivered, note, response } = await send(url, externalRef, postback);
    const color = delivered ? green : red;
    const shown = `${nameOf(postback)}, ${formatBRL(amount)}: `;
    output.event({ externalRef, id, status, amount, delivered, response }, shown, color(response));
    if (note !== undefined) output.note(note);
    if (delivered) continue;
    const unsent = postbacks.length - index - 1;
    if (unsent > 0) output.note(`${unsent} not sent.`);
    throw new Reported();
  }
  const left = await readOpenPostbacks(opened, externalRef);
  if (!left.some((other) => postbacks.some((sent) => nameOf(sent) === nameOf(other)))) return;
  const message =
    "Answered with 2xx, but still open: is --to the URL of your handler, and does it use this store and namespace?";
  throw new Failure("still_open", message);
}

/** @throws {Failure} `nothing_sent` if there are some, and none can be sent. */
function choosePostbacks(
  open: readonly OpenPostback[],
  order: OrderRecord | undefined,
  id: string | undefined,
  output: Output,
): readonly PostbackToSend[] {
  const known = open.some(({ status }) => status === "approved") ? open : [...open, ...toPayment(order)];
  const chosen = known.filter((postback) => id === undefined || String(postback.id) === id);
  const reasons = chosen.flatMap((postback) => whyNotSent(postback, order) ?? []);
  const postbacks = chosen.filter((postback) => whyNotSent(postback, order) === undefined);
  if (reasons.length > 0 && postbacks.length === 0) {
    throw new Failure("nothing_sent", `Nothing was sent: ${reasons.join("; ")}.`);
  }
  for (const reason of reasons) output.note(`Not sent: ${reason}.`);
  return postbacks;
}

/** The payment of an order that the store has as approved, for example because a person recorded that. */
function toPayment({ transactionId: id, transaction }: Partial<OrderRecord> = {}): PostbackToSend[] {
  if (transaction?.status !== "approved" || typeof id !== "number") return [];
  return [{ id, rawStatus: "approved", amount: amountPaid(transaction) }];
}

/** `undefined` if a postback can be sent. Only the payment of an order has no state. */
function whyNotSent(postback: PostbackToSend, order: OrderRecord | undefined): string | undefined {
  const { id, state, amount } = postback;
  if (state === "running") return `${nameOf(postback)} is running`;
  if (state !== undefined || order === undefined || amount === order.amount) return undefined;
  const [paid, due] = [formatBRL(amount), formatBRL(order.amount)];
  return `transaction ${id} is approved over ${paid}, not over ${due}`;
}

/** Returns a function that signs the URL of `--to`. @throws {Failure} */
export async function createSign(context: Context, to: string) {
  const url = readWebUrl("--to", to);
  if (url.protocol !== "https:" && !isLoopback(url.hostname)) {
    throw new Failure("invalid_url", `--to must be https, unless on this machine.`);
  }
  const signer = await readSigner(readSettings(context));
  if (signer === undefined) {
    const message = "Set PAYMENTS_POSTBACK_SECRET to the secret of your PostbackUrlSigner.";
    throw new Failure("missing_setting", message);
  }
  return async (externalRef: string, amount: number) => {
    const order = { externalRef, amount, expiresAt: new Date(Date.now() + URL_LIFETIME_MS) };
    return signer.sign(url.href, order).catch(({ issues }: InvalidRequestError) => {
      throw new Failure("cannot_sign", `--to cannot be signed: ${issues[0]?.field} ${issues[0]?.message}.`);
    });
  };
}

const CALLBACKS = ["onPaid", "onNotPaid", "onReturned", "onReview"];

async function send(url: string, externalRef: string, postback: PostbackToSend) {
  const { id, rawStatus: status, amount, transactionDate } = postback;
  const body = JSON.stringify({ id, status, externalRef, amount, transactionDate });
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    const words = await readWords(response);
    const review = words.includes("onReview") ? REVIEWED : undefined;
    const note = words.includes("duplicate") ? DUPLICATE : review;
    const shown = [`response ${response.status}`, ...words].join(", ");
    return { delivered: response.ok, note: response.ok ? note : undefined, response: shown };
  } catch (error) {
    if (signal.aborted) return { delivered: false, response: `no response within ${TIMEOUT_MS / 1000} s` };
    const { code = "network error" } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return { delivered: false, response: `cannot be reached (${code})` };
  }
}

/** The words of the SDK's handler, such as `handler_failed`. Any other text may contain personal data. */
async function readWords({ body }: Response): Promise<readonly unknown[]> {
  let text = "";
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.length > 1_000) return [];
    }
    const { result, error, reason, callback } = JSON.parse(text);
    const words = [result, error, reason].filter((word) => /^(?![ps]k_)[a-z_]{1,30}$/.test(word ?? ""));
    return CALLBACKS.includes(callback) ? [...words, callback] : words;
  } catch {
    return [];
  }
}
