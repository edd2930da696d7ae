import type { CardPayment, OrderView, PixPayment, RefusedPayment } from "../shared/order-view.ts";

/** The result of a payment. `unknown`: the shop's response was lost, and the buyer may have been charged. */
export type Answer = OrderView | RefusedPayment | "unknown";

const AGAIN_MS = 2_000;

const orderUrl = (): string => `/orders/${document.body.dataset["order"]}`;

/** Waits two seconds, or until the pix code reports a status, and then until the page is visible. */
async function pause(): Promise<void> {
  const listening = new AbortController();
  await new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS);
    document.addEventListener("payment-status", resolve, { signal: listening.signal });
  });
  listening.abort();
  await untilVisible();
}

async function untilVisible(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}

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

/** The current order; `undefined` if the server cannot be reached. */
async function requestOrder(): Promise<OrderView | undefined> {
  const response = await fetch(`${orderUrl()}/state`).catch(() => undefined);
  if (response?.status === 404) location.reload(); // the page then shows that the order is unknown
  return response?.ok ? ((await response.json().catch(() => undefined)) as OrderView | undefined) : undefined;
}

/** The current order. Waits until the server can be reached. */
export async function fetchOrder(): Promise<OrderView> {
  for (;;) {
    const order = await requestOrder();
    if (order !== undefined) return order;
    await pause();
  }
}

/** Nothing but a refund can follow, which the page shows when it is opened again. */
const isFinal = ({ state, isCardUndecided }: OrderView): boolean =>
  ["paid", "refunded", "chargedback"].includes(state.kind) && !isCardUndecided;

/**
 * Calls the listener with the current order, and again every two seconds while the page is visible, until the order is
 * final. Unless `canChange`, only once when the page is shown again: the buyer may have paid in another tab.
 *
 * An event stream would be faster, but it uses one of the six connections that a browser opens to a host, in all tabs
 * together.
 */
export async function watchOrder(
  listener: (order: OrderView) => void,
  canChange: () => boolean,
): Promise<void> {
  let isShownAgain = false;
  document.addEventListener("visibilitychange", () => {
    isShownAgain ||= !document.hidden;
  });
  await untilVisible();
  for (;;) {
    if (isShownAgain || canChange()) {
      isShownAgain = false;
      const order = await requestOrder();
      isShownAgain ||= order === undefined; // until the shop responds
      if (order !== undefined) listener(order);
      if (order !== undefined && isFinal(order)) return;
    }
    await pause();
  }
}
