import type { CardPayment, OrderView, PixPayment, RefusedPayment } from "../shared/order-view.ts";

/** What came of a payment. `unknown`: the shop's response was lost, and the buyer may have been charged. */
export type Answer = OrderView | RefusedPayment | "unknown";

const AGAIN_MS = 2_000;

const orderUrl = (): string => `/orders/${document.body.dataset["order"]}`;

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

export const postCard = (payment: CardPayment): Promise<Answer> => post("/card", payment);

export const postPix = (payment: PixPayment): Promise<Answer> => post("/pix", payment);

async function post(path: string, body: CardPayment | PixPayment): Promise<Answer> {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(orderUrl() + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.status === 200 || response.status === 409) return (await response.json()) as Answer;
  } catch {
    // A lost response says nothing about the request.
  }
  return "unknown"; // any other status may be that of a proxy, after the shop has charged
}

/** The order as the server has it, as soon as the server can be reached. */
export async function fetchOrder(): Promise<OrderView> {
  for (;;) {
    const response = await fetch(`${orderUrl()}/state`).catch(() => undefined);
    if (response?.ok) return (await response.json()) as OrderView;
    if (response?.status === 404) location.reload(); // the page says that the shop forgot the order
    await pause();
  }
}

/**
 * Calls a listener with the order as it is now, and every two seconds while the page is visible.
 *
 * An event stream would be faster, but it occupies one of the six connections that a browser opens to a shop, in all
 * tabs together.
 */
export async function watchOrder(listener: (order: OrderView) => void): Promise<never> {
  for (;;) {
    if (!document.hidden) listener(await fetchOrder());
    await pause();
  }
}
