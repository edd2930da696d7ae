import type { CardPayment, OrderView, PixPayment, RefusedPayment } from "../shared/order-view.ts";

/** The result of a payment. `unknown`: the shop's response was lost, and the buyer may have been charged. */
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
    // A lost response does not mean that the request failed.
  }
  return "unknown"; // any other status may come from a proxy, after the shop charged the buyer
}

/** The current order. Waits until the server can be reached. */
export async function fetchOrder(): Promise<OrderView> {
  for (;;) {
    const response = await fetch(`${orderUrl()}/state`).catch(() => undefined);
    if (response?.ok) return (await response.json()) as OrderView;
    if (response?.status === 404) location.reload(); // the page then shows that the order is unknown
    await pause();
  }
}

/**
 * Calls the listener with the current order, and again every two seconds while the page is visible, unless `isOnlyPixOpen`.
 *
 * An event stream would be faster, but it uses one of the six connections that a browser opens to a host, in all tabs
 * together.
 */
export async function watchOrder(
  listener: (order: OrderView) => void,
  isOnlyPixOpen: () => boolean,
): Promise<never> {
  for (;;) {
    if (!document.hidden && !isOnlyPixOpen()) listener(await fetchOrder());
    await pause();
  }
}
