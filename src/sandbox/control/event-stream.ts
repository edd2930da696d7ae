import type { GatewayChange } from "../changes.ts";
import { timestamp } from "../clock.ts";
import type { Gateway } from "../gateway.ts";
import { summaryOf } from "./transaction-summary.ts";

/** Proxies and browsers give up on a connection that is silent for long. */
const HEARTBEAT_MS = 15_000;

/** Events that wait for a reader who does not read. Whoever is cut off asks anew, and gets all that is. */
const MOST_WAITING = 1_000;

/** What changes, as server-sent events, until the reader goes away. */
export function eventStream(gateway: Gateway, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let stop = () => {};

  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      const send = (text: string) => {
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) > -MOST_WAITING) return;
        stop();
        controller.error(new Error("The reader of the events does not read."));
      };
      const unsubscribe = gateway.subscribe((change) => send(eventOf(change, gateway)));
      const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
      stop = () => {
        unsubscribe();
        clearInterval(heartbeat);
      };
      signal.addEventListener("abort", stop, { once: true });
      send("retry: 1000\n\n");
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

function eventOf(change: GatewayChange, gateway: Gateway): string {
  switch (change.type) {
    case "transaction":
      return event("transaction", summaryOf(change.transaction));
    case "delivery":
      return event("delivery", { transactionId: change.delivery.transactionId });
    case "faults":
      return event("faults", { armed: gateway.faults.armed });
    case "clock":
      return event("clock", { now: timestamp(gateway.clock.now()) });
  }
}

/** JSON has no line break in it, which would end the event. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
