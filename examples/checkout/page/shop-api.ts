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

/** Calls a listener with the order as it is now, and after every change, also if the connection breaks. */
export function watchOrder(listener: (order: OrderView) => void): void {
  const events = new EventSource(`${orderUrl()}/events`);
  events.addEventListener("message", ({ data }) => listener(JSON.parse(data) as OrderView));
  events.addEventListener("error", async () => {
    if (events.readyState !== EventSource.CLOSED) return; // it connects again by itself
    await pause();
    watchOrder(listener);
  });
}
