import { type NodeTransport, type NodeTransportOptions, nodeTransport } from "payments-sdk/node";
import { onTestFinished } from "vitest";
import {
  type ReceivedResponse,
  RequestProgress,
  type SendByTransport,
  transports,
} from "../../../src/http/transport.ts";

/** A transport that is closed when the test ends. */
export function createTransport(options: NodeTransportOptions = {}): NodeTransport {
  const transport = nodeTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

/** Sends with a transport as the client does. */
export function createDirectSend(
  options: NodeTransportOptions = {},
  transport = createTransport(options),
): SendByTransport {
  const registered = transports.get(transport);
  if (registered === undefined) throw new Error("the transport is not registered");
  return registered.send;
}

export interface SendOptions {
  readonly send?: SendByTransport;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** How one request ended, and how far it got. */
export interface SendResult {
  /** A complete response. */
  readonly response: ReceivedResponse | undefined;
  /** What was received of the body, if it is incomplete. */
  readonly partialText: string | undefined;
  readonly error: unknown;
  /** Whether a byte may have been written. */
  readonly isSent: boolean;
  readonly headersReceived: boolean;
}

/** Sends a request, by default a POST with a small body. */
export async function trySend(url: string, options: SendOptions = {}): Promise<SendResult> {
  const {
    send = createDirectSend(),
    method = "POST",
    headers = {},
    signal = new AbortController().signal,
  } = options;
  const body = method === "POST" ? (options.body ?? '{"amount":1990}') : undefined;
  const progress = new RequestProgress();
  let response: ReceivedResponse | undefined;
  let partialText: string | undefined;
  let error: unknown;
  try {
    const received = await send(url, { method, headers, body }, signal, progress);
    error = received.failure;
    if (error === undefined) response = received;
    else partialText = received.text;
  } catch (thrown) {
    error = thrown;
  }
  const { headersReceived } = progress;
  return { response, partialText, error, isSent: !progress.withdraw(), headersReceived };
}

/** The response to one request; fails the test without one. */
export async function responseFrom(url: string, options: SendOptions = {}): Promise<ReceivedResponse> {
  const { response, error } = await trySend(url, options);
  if (response === undefined) throw new Error("the request was expected to succeed", { cause: error });
  return response;
}
