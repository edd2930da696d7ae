import { createGateway, type Gateway, type GatewayOptions, type PostbackOptions } from "payments-sdk/sandbox";
import type { Receiver } from "./receiver.ts";
import { aCard, aCardPayment, aPix, bodyOf, merchantOf } from "./wire.ts";

export const NOON = Date.parse("2026-12-04T12:00:00.000Z");

/** A gateway whose clock stands still, and a merchant who wants postbacks. */
export function postingTo(
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

/** What was posted, in the order of arrival. */
export const statusesOf = ({ received }: Receiver): string[] => received.map(({ body }) => body.status);
