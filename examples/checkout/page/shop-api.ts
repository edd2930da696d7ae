import type {
  CardPayment,
  OrderView,
  PaymentRefusal,
  PixPayment,
  RefusedPayment,
} from "../shared/order-view.ts";

/** What came of a payment. `unknown`: the shop's server could not be heard, and may have charged. */
export type Answer =
  | { readonly kind: "order"; readonly order: OrderView }
  | { readonly kind: "refusal"; readonly refusal: PaymentRefusal; readonly order?: OrderView }
  | { readonly kind: "unknown" };

/** What the shop answers before it does anything. Any other status may be that of a proxy, after the shop did. */
const REFUSED: ReadonlySet<number> = new Set([400, 403, 404, 413]);

const orderPath = (): string => `/orders/${document.body.dataset["order"] ?? ""}`;

async function post(path: string, body: CardPayment | PixPayment): Promise<Answer> {
  try {
    const response = await fetch(orderPath() + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status === 200) return { kind: "order", order: (await response.json()) as OrderView };
    if (response.status === 409) return { kind: "refusal", ...((await response.json()) as RefusedPayment) };
    if (response.status === 404) location.reload(); // the shop has forgotten the order, and says so
    if (REFUSED.has(response.status)) return { kind: "refusal", refusal: { code: "unavailable" } };
  } catch {
    // The answer got lost, which says nothing of the request.
  }
  return { kind: "unknown" };
}

export const postCard = (payment: CardPayment): Promise<Answer> => post("/card", payment);

export const postPix = (payment: PixPayment): Promise<Answer> => post("/pix", payment);

const ASK_AGAIN_MS = 2_000;

/** The order as the server has it, as soon as the server can be heard. */
const hearOrder = (): Promise<OrderView> => ask("/state");

/** The same, after which the server takes nothing any more that this page sent before. */
export const hearOrderAndRefuseLate = (): Promise<OrderView> =>
  ask("/refuse-late", { method: "POST", headers: { "content-type": "application/json" } });

async function ask(path: string, init?: RequestInit): Promise<OrderView> {
  for (;;) {
    const response = await fetch(orderPath() + path, init).catch(() => undefined);
    if (response?.ok === true) return (await response.json()) as OrderView;
    if (response?.status === 404) location.reload();
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/**
 * Calls a listener with the order as it is now, and at every change, also after a connection that broke. Not while
 * nobody looks: a browser has six connections for all tabs of a shop.
 */
export function watchOrder(listener: (order: OrderView) => void): void {
  let events: EventSource | undefined;
  const connect = () => {
    events = new EventSource(`${orderPath()}/events`);
    events.addEventListener("message", ({ data }) => listener(JSON.parse(data) as OrderView));
    // It connects again by itself after a break, but not after an answer such as 502, while a shop restarts.
    events.addEventListener("error", async () => {
      if (events?.readyState !== EventSource.CLOSED) return;
      listener(await hearOrder());
      connect();
    });
  };
  document.addEventListener("visibilitychange", () => {
    events?.close();
    if (!document.hidden) connect();
  });
  if (!document.hidden) connect();
  void hearOrder().then(listener);
}
