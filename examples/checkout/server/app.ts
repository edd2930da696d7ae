import { getConnInfo } from "@hono/node-server/conninfo";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { createStatusHandler } from "payments-sdk/postbacks";
import * as z from "zod/mini";
import type { PaymentRefusal, RefusedPayment } from "../shared/order-view.ts";
import type { Order } from "./orders.ts";
import { type PageSettings, shopPage, unknownOrderPage } from "./page.ts";
import { payByCard, payByPix, tryToShip } from "./pay.ts";
import { createPostbacks } from "./postbacks.ts";
import type { Shop } from "./start-shop.ts";

/** Content type and text by file name. */
export type Assets = ReadonlyMap<string, readonly [type: string, text: string]>;

const text = z.string().check(z.maxLength(200));
const BuyerBody = z.object({ name: text, email: text, phone: text, document: text });
const PixBody = z.object({ buyer: z.optional(BuyerBody), revision: z.int() });
/** Has no field for card data, so it is dropped. */
const CardBody = z.extend(PixBody, {
  buyer: BuyerBody,
  installments: z.int(),
  token: z.string().check(z.maxLength(4_000)),
});

/** Behind a proxy, this is the proxy's address (a `warning` event): read the header that your proxy sets instead. */
const ipOf = (context: Context): string => getConnInfo(context).remote.address ?? "127.0.0.1";

/**
 * Lets the page load only its own files, and connect only to this shop and to the service: an injected script cannot
 * send card data elsewhere.
 */
const policyFor = (service: string) => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:"], // the QR code of a pix is a data URI
  connectSrc: ["'self'", service],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"], // no code can turn a string into HTML or a script
});

/** The routes of the shop. */
export function createApp(shop: Shop, assets: Assets, settings: PageSettings): Hono {
  const app = new Hono();
  const orderOf = (context: Context) => shop.orders.find(context.req.param("id") ?? "");
  app.use(secureHeaders({ contentSecurityPolicy: policyFor(shop.service.origin) }));
  app.use(async (context, next) => {
    await next();
    context.header("cache-control", "no-store");
  });
  const postbacks = createPostbacks(shop);
  app.all("/postbacks", (context) => postbacks.fetch(context.req.raw)); // reads the body within its own limits
  const status = createStatusHandler({ signer: shop.postbackSigner, store: shop.store });
  app.get("/status", (context) => status.fetch(context.req.raw));
  app.use(csrf()); // stops forms of other sites; their scripts cannot send JSON, because this server has no CORS
  app.use(bodyLimit({ maxSize: 64_000, onError: (context) => context.body(null, 413) }));

  app.get("/", (context) => {
    const { search } = new URL(context.req.url);
    return context.redirect(`/orders/${shop.orders.create().id}${search}`, 303);
  });
  app.get("/assets/:file", (context) => {
    const [type, content] = assets.get(context.req.param("file")) ?? [];
    return content && type ? context.body(content, 200, { "content-type": type }) : context.notFound();
  });
  app.get("/orders/:id", async (context) => {
    const order = orderOf(context);
    if (order) await tryToShip(shop, order);
    const isDemo = context.req.query("demo") !== undefined;
    return order ? context.html(shopPage(order, settings, isDemo)) : context.html(unknownOrderPage(), 404);
  });
  app.get("/orders/:id/state", (context) => {
    const order = orderOf(context);
    return order ? context.json(order.view()) : context.notFound();
  });
  app.post("/orders/:id/card", async (context) => {
    const order = orderOf(context);
    const { data } = CardBody.safeParse(await context.req.json().catch(() => undefined));
    if (!order || !data) return context.body(null, order ? 400 : 404);
    return answer(context, order, await payByCard(shop, order, data, ipOf(context)));
  });
  app.post("/orders/:id/pix", async (context) => {
    const order = orderOf(context);
    const { data } = PixBody.safeParse(await context.req.json().catch(() => undefined));
    if (!order || !data) return context.body(null, order ? 400 : 404);
    return answer(context, order, await payByPix(shop, order, data, ipOf(context)));
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    shop.log(`${context.req.routePath}: ${error.name}`);
    return context.body(null, 500);
  });
  return app;
}

/** The current order, and the refusal if no one was charged. */
function answer(context: Context, order: Order, refusal: PaymentRefusal | undefined): Response {
  if (refusal === undefined) return context.json(order.view());
  return context.json({ refusal, order: order.view() } satisfies RefusedPayment, 409);
}
