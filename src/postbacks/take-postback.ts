import { assertConfig } from "../errors/check-options.ts";
import { InvalidPostbackError } from "../errors/invalid-postback-error.ts";
import { isPaymentsError } from "../errors/payments-error.ts";
import type { UntrustedPostbackError } from "../errors/untrusted-postback-error.ts";
import { POSTBACK_RETRY_AFTER_MAX } from "../spec/limits.ts";
import { type End, handleOnce, type Trust } from "./handle-once.ts";
import { type PostbackEvent, tellOf } from "./handler-events.ts";
import type { HandlerSettings } from "./handler-options.ts";
import type { Postback } from "./parse-postback.ts";
import { type PostbackInput, parsePostback } from "./parse-postback.ts";
import type { Turns } from "./turns.ts";
import { UnreadableBody } from "./unreadable-body.ts";

/** One request, whichever server took it. */
export interface Delivery {
  readonly method: string;
  /** The URL that was asked for, or its path and query. */
  readonly url: string;
  /** @throws {UnreadableBody} */
  readonly readBody: () => Promise<PostbackInput>;
}

/** What is sent back. */
export interface HandlerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** When to come again while the store is down, in seconds. */
const STORE_RETRY_AFTER = 5;

/** Takes one delivery and answers it; never rejects. `notice` is told of what has been handled. */
export async function takePostback(
  { method, url, readBody }: Delivery,
  settings: HandlerSettings,
  turns: Turns,
  notice: (postback: Postback, isDuplicate: boolean) => void,
): Promise<HandlerAnswer> {
  // A probe is nobody's mistake, so there is no event.
  if (method !== "POST") return answer(405, { error: "method_not_allowed" }, { allow: "POST" });
  let postback: Postback;
  let trust: Trust;
  try {
    postback = parsePostback(await readBody());
    trust = await trustIn(url, postback, settings);
  } catch (error) {
    return refuse(error, settings);
  }
  const end = await handleOnce(postback, trust, settings, turns);
  const given = answerTo(end);
  tellOf(eventOf(end, given.status, postback), settings.onEvent);
  // With a signer, nobody who waits is told what is not proven.
  if (given.status === 200 && (settings.signer === undefined || trust.trust === "signed")) {
    notice(postback, end.type === "duplicate");
  }
  return given;
}

/** @throws {UntrustedPostbackError} */
async function trustIn(
  url: string,
  postback: Postback,
  { signer, allowUnsigned }: HandlerSettings,
): Promise<Trust> {
  const unsigned: Trust = { trust: "unsigned", amountMatches: undefined };
  if (signer === undefined) return unsigned;
  try {
    const { amountMatches } = await signer.verify(url, postback);
    // A verifier in plain JavaScript may say `false` for what it should refuse.
    assertConfig(
      typeof amountMatches === "boolean",
      "signer.verify() must give { amountMatches }, or throw.",
    );
    return { trust: "signed", amountMatches };
  } catch (error) {
    if (allowUnsigned && isUntrusted(error) && error.reason === "missing_signature") return unsigned;
    throw error;
  }
}

function answerTo(end: End): HandlerAnswer {
  switch (end.type) {
    case "handled":
    case "unrecorded": // Another status would ask for a redelivery, and that would run again.
      return answer(200, { result: "handled" });
    case "duplicate":
      return answer(200, { result: "duplicate" });
    case "busy":
      return answer(503, { error: "busy" }, { "retry-after": String(retryAfter(end.leaseLeftMs)) });
    case "unclaimed":
      return answer(503, { error: "store_failed" }, { "retry-after": String(STORE_RETRY_AFTER) });
    case "failed":
      return answer(500, { error: "handler_failed" });
  }
}

function eventOf(end: End, status: number, postback: Postback): PostbackEvent {
  switch (end.type) {
    case "failed":
      return { type: "failed", status, postback, error: end.error };
    case "unclaimed":
    case "unrecorded":
      return { type: "store_failed", status, postback, error: end.error };
    default:
      return { type: end.type, status, postback };
  }
}

function refuse(error: unknown, { onEvent }: HandlerSettings): HandlerAnswer {
  if (error instanceof UnreadableBody) {
    const { status, message } = error;
    const refusal = new InvalidPostbackError([{ field: "", message }], undefined);
    tellOf({ type: "refused", status, error: refusal }, onEvent);
    return answer(status, { error: refusal.code, issues: refusal.issues });
  }
  if (error instanceof InvalidPostbackError) {
    tellOf({ type: "refused", status: 400, error }, onEvent);
    return answer(400, { error: error.code, issues: error.issues });
  }
  if (isUntrusted(error)) {
    tellOf({ type: "refused", status: 401, error }, onEvent);
    return answer(401, { error: error.code, reason: error.reason });
  }
  tellOf({ type: "failed", status: 500, error }, onEvent);
  return answer(500, { error: "handler_failed" });
}

/** Not by its class: the signer may come from another copy of the package. */
function isUntrusted(error: unknown): error is UntrustedPostbackError {
  return isPaymentsError(error) && error.code === "untrusted_postback";
}

function answer(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): HandlerAnswer {
  return { status, body, headers: { "content-type": "application/json", ...headers } };
}

/** Most that is busy ends long before its lease does. */
function retryAfter(leaseLeftMs: number): number {
  return Math.min(Math.max(1, Math.ceil(leaseLeftMs / 1000)), POSTBACK_RETRY_AFTER_MAX);
}
