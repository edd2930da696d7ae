import type { Gateway, PostbackDelivery, SandboxRequest } from "../sandbox.ts";
import { dim, green, type Output, red, type Text, yellow } from "./output.ts";
import { displayUrl } from "./urls.ts";

/** Prints one line for each request that the sandbox receives, and for each attempt to send a postback. */
export function printTraffic(gateway: Gateway, output: Output): void {
  const printedEarly = new Set<number>(); // requests that were printed although they are in flight

  gateway.subscribe((change) => {
    if (change.type === "delivery" && change.delivery.attempts.length > 0) {
      output.line(...postbackLine(change.delivery));
    }
    if (change.type !== "request") return;
    const { id, durationMs, fault } = change.request;
    const isInFlight = durationMs === undefined;
    if (isInFlight && fault !== "charged_then_stalled") return; // its client may wait several minutes
    if (!isInFlight && printedEarly.delete(id)) return;
    if (isInFlight) printedEarly.add(id);
    output.line(...requestLine(change.request));
  });
}

function requestLine(request: SandboxRequest): readonly Text[] {
  const { at, method, path, status, durationMs, reason, fault, transactionId } = request;
  return [
    dim(timeOf(at)),
    "  ",
    statusText(status),
    `  ${method} ${path}`,
    ...(durationMs === undefined ? [] : [dim(`  ${durationMs} ms`)]),
    ...(transactionId === undefined ? [] : [`  transaction ${transactionId}`]),
    ...(reason === undefined ? [] : [yellow(`  ${reason}`)]),
    ...(fault === undefined ? [] : [red(`  fault: ${fault}`)]),
  ];
}

function postbackLine({ url, body, attempts, nextAttemptAt }: PostbackDelivery): readonly Text[] {
  const { at = "", status, error } = attempts.at(-1) ?? {};
  return [
    dim(timeOf(at)),
    "  ",
    statusText(status),
    `  postback to ${displayUrl(new URL(url))}  transaction ${body.id} ${body.status}`,
    ...(error === undefined ? [] : [red(`  ${error}`)]),
    ...(attempts.length === 1 ? [] : [dim(`  attempt ${attempts.length}`)]),
    ...(nextAttemptAt === undefined ? [] : [yellow(`  next at ${timeOf(nextAttemptAt)}`)]),
  ];
}

/** The time of day, on this machine. */
function timeOf(timestamp: string): string {
  return new Date(timestamp).toTimeString().slice(0, 8);
}

function statusText(status: number | undefined): Text {
  if (status === undefined) return red("---");
  if (status < 400) return green(String(status));
  return status < 500 ? yellow(String(status)) : red(String(status));
}
