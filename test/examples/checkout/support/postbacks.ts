import type { Order } from "../../../../examples/checkout/server/orders.ts";
import { BUYER, type OpenedShop } from "./open-shop.ts";

/** An attempt as the service knows it. */
export interface Charge {
  readonly id: number;
  readonly externalRef: string;
  /** The address that the service was told. */
  readonly url: string;
}

/** What the service was told of one of an order's attempts; by default of the latest. */
export function chargeOf({ sandbox }: OpenedShop, order: Order, attempt = order.attempts.at(-1)): Charge {
  const externalRef = attempt?.externalRef ?? "";
  const charge = sandbox.gateway.transactions.find(({ externalId }) => externalId === externalRef);
  if (charge?.postBackUrl === undefined) throw new Error("The service was told of no such attempt.");
  return { id: charge.id, externalRef, url: charge.postBackUrl };
}

/** Asks for a pix, as the page does. */
export async function orderPix(opened: OpenedShop, order: Order = opened.order): Promise<Charge> {
  await opened.post(`/orders/${order.id}/pix`, { revision: order.view().revision, buyer: BUYER });
  return chargeOf(opened, order);
}

interface Answer {
  readonly status: number;
  readonly body: { readonly result?: string; readonly error?: string; readonly reason?: string };
}

/** Posts what the service would post when a charge is paid, with changes; `url` is where to, by default its own. */
export async function sendPostback(
  { id, externalRef, url }: Charge,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const body = { id, status: "approved", amount: 9000, externalRef, ...changes };
  return send(url, JSON.stringify(body));
}

export async function send(url: string, body: string): Promise<Answer> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as Answer["body"] };
}

/** The part of an address that nobody else may see. */
export function signatureIn(url: string): string {
  const signature = new URL(url).searchParams.get("pbsig");
  if (signature === null) throw new Error("The address has no signature.");
  return signature;
}
