import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGateway, type Gateway, type GatewayOptions, type PostbackOptions } from "payments-sdk/sandbox";
import { onTestFinished } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf, NOON } from "./wire.ts";

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
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { method = "", url: path = "", headers } = request;
    received.push({ method, path, headers, text, body: JSON.parse(text) });
    respond(response, received.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`, received };
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
  const { create, token } = merchantOf(gateway);
  const idOf = async (body: object) => (await bodyOf(await create(body))).data.id as number;

  return {
    gateway,
    create,
    pix: (overrides: object = {}) => idOf(aPix({ postbackUrl, ...overrides })),
    card: async (number = "4111111111111111") =>
      idOf(aCardPayment(await token(aCard({ number })), { postbackUrl })),
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
