import type { GatewayChange } from "../changes.ts";
import { toTimestamp } from "../clock.ts";
import type { Gateway } from "../gateway.ts";
import { toRequestSummary, toSummary } from "./views.ts";

/** Proxies and browsers close a connection that is silent for a long time. */
const HEARTBEAT_MS = 15_000;

/** Events that are buffered for a slow client. With more, it is disconnected, and has to load everything again. */
const BUFFERED_EVENTS_MAX = 1_000;

/**
 * Sends the gateway's changes as server-sent events, until the client disconnects.
 *
 * @param disconnect closes the connection to the client.
 */
export function createEventStream(gateway: Gateway, disconnect: () => void): Response {
  let stop = () => {};

  const body = new ReadableStream<string>({
    start(controller) {
      const send = (text: string) => {
        controller.enqueue(text);
        if ((controller.desiredSize ?? 0) <= -BUFFERED_EVENTS_MAX) disconnect();
      };
      const unsubscribe = gateway.subscribe((change) => {
        const data = JSON.stringify(dataOf(change, gateway)); // without a line break, which would end the event
        send(`event: ${change.type}\ndata: ${data}\n\n`);
      });
      const heartbeat = setInterval(() => send(": heartbeat\n\n"), HEARTBEAT_MS);
      stop = () => {
        unsubscribe();
        clearInterval(heartbeat);
      };
      send("retry: 1000\n\n");
    },
    cancel: () => stop(),
  });
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { "content-type": "text/event-stream" },
  });
}

function dataOf(change: GatewayChange, gateway: Gateway): object {
  switch (change.type) {
    case "transaction":
      return toSummary(change.transaction);
    case "delivery":
      return { transactionId: change.delivery.transactionId };
    case "request":
      return toRequestSummary(change.request);
    case "faults":
      return { armed: gateway.faults.armed };
    case "clock":
      return { now: toTimestamp(gateway.clock.now()) };
  }
}
