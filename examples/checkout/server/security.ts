import type { MiddlewareHandler } from "hono";

/**
 * The headers of every response. The policy allows the page to load only its own files, and to connect only to this
 * shop and to the service: an injected script cannot send card data elsewhere.
 *
 * @param service - Origin of the service.
 */
export const securityHeaders = (service: string): MiddlewareHandler => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:", // the QR code of a pix is a data URI
    `connect-src 'self' ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", // no code can turn a string into HTML or a script
  ].join("; ");
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set("content-security-policy", policy);
    headers.set("referrer-policy", "no-referrer");
    headers.set("x-content-type-options", "nosniff");
    headers.set("cache-control", "no-store");
  };
};

/** Lets only this shop's own pages post: JSON, and from the same origin. */
export const ownPagesOnly: MiddlewareHandler = async (context, next) => {
  const json = /^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? "");
  // Browsers send `Sec-Fetch-Site` only to https and localhost, and `Origin` with every POST.
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin") ?? "";
  const sameHost = URL.canParse(origin) && new URL(origin).host === context.req.header("host");
  if (!(site === undefined ? sameHost : site === "same-origin") || !json) return context.body(null, 403);
  return next();
};
