import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import type { PaymentRefusal, RefusedPayment } from "../shared/order-view.ts";
import type { Assets } from "./assets.ts";
import type { Order } from "./orders.ts";
import { type PageSettings, shopPage, unknownOrderPage } from "./page.ts";
import { payByCard } from "./pay-by-card.ts";
import { payByPix } from "./pay-by-pix.ts";
import { readCardPayment, readPixPayment } from "./read-payment.ts";
import { ownPagesOnly, securityHeaders } from "./security.ts";
import type { Shop } from "./shop.ts";
import { takePostbacks } from "./take-postbacks.ts";

const BODY_MAX_BYTES = 64_000;
const HEARTBEAT_MS = 20_000;

/** Behind a proxy this is the proxy's address: a shop there reads the header that its own proxy writes. */
const ipOf = (context: Context): string => getConnInfo(context).remote.address ?? "127.0.0.1";

/** The routes of the shop. */
export function createApp(shop: Shop, assets: Assets, settings: PageSettings): Hono {
  const postbacks = takePostbacks(shop);
  const app = new Hono();
  app.use(securityHeaders(new URL(settings.baseUrl).origin));
  // It reads the body itself, within limits of its own, and tells a probe with GET that it wants a POST.
  app.all("/postbacks", (context) => postbacks.fetch(context.req.raw));
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (context) => context.body(null, 413) }));

  app.get("/", (context) => {
    const query = new URL(context.req.url).search;
    return context.redirect(`/orders/${shop.orders.create().id}${query}`, 303);
  });
  app.get("/assets/:file", (context) => {
    const asset = assets.get(context.req.param("file"));
    return asset ? context.body(asset.text, 200, { "content-type": asset.type }) : context.notFound();
  });
  app.get("/orders/:id", (context) => {
    const order = shop.orders.find(context.req.param("id"));
    return order ? context.html(shopPage(order, settings)) : context.html(unknownOrderPage(), 404);
  });
  app.get("/orders/:id/state", (context) => {
    const order = shop.orders.find(context.req.param("id"));
    return order ? context.json(order.view()) : context.notFound();
  });
  app.get("/orders/:id/events", (context) => {
    const order = shop.orders.find(context.req.param("id"));
    return order ? events(context, order) : context.notFound();
  });
  app.post("/orders/:id/refuse-late", ownPagesOnly, (context) => {
    const order = shop.orders.find(context.req.param("id"));
    order?.refuseLate();
    return order ? context.json(order.view()) : context.notFound();
  });
  app.post("/orders/:id/card", ownPagesOnly, async (context) => {
    const order = shop.orders.find(context.req.param("id"));
    const payment = readCardPayment(await context.req.json().catch(() => undefined));
    if (!order) return context.notFound();
    if (!payment) return context.body(null, 400);
    return answer(context, order, await payByCard(shop, order, payment, ipOf(context)));
  });
  app.post("/orders/:id/pix", ownPagesOnly, async (context) => {
    const order = shop.orders.find(context.req.param("id"));
    const payment = readPixPayment(await context.req.json().catch(() => undefined));
    if (!order) return context.notFound();
    if (!payment) return context.body(null, 400);
    return answer(context, order, await payByPix(shop, order, payment, ipOf(context)));
  });
  app.onError((error, context) => {
    shop.log(`${context.req.routePath}: ${error.name}`);
    return context.body(null, 500);
  });
  return app;
}

/** The order as it is now, and why nobody was charged, where nobody was. */
function answer(context: Context, order: Order, refusal: PaymentRefusal | undefined): Response {
  if (refusal === undefined) return context.json(order.view());
  return context.json({ refusal, order: order.view() } satisfies RefusedPayment, 409);
}

/** The order as it is now, and again at every change. */
function events(context: Context, order: Order): Response {
  return streamSSE(context, async (stream) => {
    const stop = order.watch((view) => void stream.writeSSE({ data: JSON.stringify(view) }));
    stream.onAbort(stop);
    while (!stream.aborted) {
      await stream.sleep(HEARTBEAT_MS);
      await stream.write(": still here\n\n"); // a proxy ends what is silent for long
    }
  });
}
