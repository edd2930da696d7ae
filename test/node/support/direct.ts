import { type NodeTransportOptions, nodeTransport } from "payments-sdk/node";
import { onTestFinished } from "vitest";
import {
  type DirectAnswer,
  type DirectSend,
  directSendOf,
  RequestProgress,
} from "../../../src/http/transport.ts";

/** A transport as the client uses it, closed when the test ends. */
export function directSend(options: NodeTransportOptions = {}): DirectSend {
  const transport = nodeTransport(options);
  onTestFinished(() => transport.close());
  const send = directSendOf(transport);
  if (send === undefined) throw new Error("the transport offers no direct way");
  return send;
}

export interface Sending {
  readonly send?: DirectSend;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** What became of one request: an answer or an error, and how far it got. */
export interface Ending {
  readonly answer: DirectAnswer | undefined;
  readonly error: unknown;
  /** Whether a byte may have left. */
  readonly left: boolean;
  /** Whether a head came. */
  readonly heard: boolean;
}

/** Sends a request, by default a POST with a small body. */
export async function endingOf(url: string, sending: Sending = {}): Promise<Ending> {
  const {
    send = directSend(),
    method = "POST",
    headers = {},
    signal = new AbortController().signal,
  } = sending;
  const body = method === "POST" ? (sending.body ?? '{"amount":1990}') : undefined;
  const progress = new RequestProgress();
  let answer: DirectAnswer | undefined;
  let error: unknown;
  try {
    answer = await send(url, { method, headers, body }, signal, progress);
  } catch (thrown) {
    error = thrown;
  }
  return { answer, error, left: !progress.withdraw(), heard: progress.headersReceived };
}

/** The answer to one request; fails the test where there is none. */
export async function answerOf(url: string, sending: Sending = {}): Promise<DirectAnswer> {
  const { answer, error } = await endingOf(url, sending);
  if (answer === undefined) throw new Error("the request was expected to succeed", { cause: error });
  return answer;
}
