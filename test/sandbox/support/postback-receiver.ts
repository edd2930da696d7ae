import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createGateway, type Gateway, type GatewayOptions, type PostbackOptions } from "payments-sdk/sandbox";
import { startServer } from "../../support/http-server.ts";
import { merchantOf, NOON } from "./wire.ts";

/** A postback as it was received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  readonly body: any;
}

export interface Receiver {
  /** For `postbackUrl`. */
  readonly url: string;
  /** In order of arrival. */
  readonly received: readonly Received[];
}

/** Starts a receiver of postbacks. @param respond handles the nth one, counted from 0. */
export async function startReceiver(
  respond: (response: ServerResponse, nth: number) => void = (response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const { baseUrl } = await startServer(async ({ arrival, requestRead, response }) => {
    await requestRead;
    const { method, url: path, headers, body: text } = arrival;
    received.push({ method, path, headers, text, body: JSON.parse(text) });
    respond(response, received.length - 1);
  });
  return { url: `${baseUrl}/postbacks`, received };
}

/** Responds with these statuses in order, then always with the last one. */
export function statuses(...list: readonly number[]) {
  return (response: ServerResponse, nth: number) => {
    response.writeHead(list[Math.min(nth, list.length - 1)] ?? 200).end();
  };
}

/** A gateway at a fixed time, with the calls of a merchant that receives postbacks. */
export function gatewayPostingTo(
  { url: postbackUrl }: Receiver,
  postbacks: PostbackOptions = {},
  options: GatewayOptions = {},
) {
  const gateway: Gateway = createGateway({ now: NOON, postbacks, ...options });
  const { create, pix, card } = merchantOf(gateway);
  return {
    gateway,
    create,
    pix: async (overrides: object = {}): Promise<number> => (await pix({ postbackUrl, ...overrides })).id,
    card: async (number?: string): Promise<number> => (await card(number, { postbackUrl })).id,
  };
}

/** A receiver, and a gateway that posts to it: see {@link gatewayPostingTo}. */
export async function startPosting(
  postbacks: PostbackOptions = {},
  respond?: Parameters<typeof startReceiver>[0],
) {
  const receiver = await startReceiver(respond);
  return { receiver, ...gatewayPostingTo(receiver, postbacks) };
}

/** The posted statuses, in order of arrival. */
export const receivedStatuses = ({ received }: Receiver): string[] => received.map(({ body }) => body.status);
