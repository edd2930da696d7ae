import type { MiddlewareHandler } from "hono";

/**
 * The headers of every answer. The policy lets the page load its own files, and talk to this shop and to the service
 * that makes tokens: a script that got in by another way could send a card nowhere else.
 *
 * @param service - Origin of the service.
 */
export const securityHeaders = (service: string): MiddlewareHandler => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:", // the picture of a pix is a data URI
    `connect-src 'self' ${service}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", // no code makes HTML or a script out of a string
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
  // Browsers say the first to https and localhost only, and the second with every POST.
  const site = context.req.header("sec-fetch-site");
  const origin = context.req.header("origin") ?? "";
  const sameHost = URL.canParse(origin) && new URL(origin).host === context.req.header("host");
  if (!(site === undefined ? sameHost : site === "same-origin") || !json) return context.body(null, 403);
  return next();
};
