import { type NextRequest, NextResponse } from "next/server";

/** Sends a Content-Security-Policy with a new nonce. Next.js reads the nonce from the request, and adds it to its scripts. */
export function proxy(request: NextRequest) {
  const nonce = crypto.randomUUID();
  const service = new URL(process.env.PAYMENTS_BASE_URL ?? "").origin;
  const isDev = process.env.NODE_ENV === "development";
  const policy = [
    "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    `script-src 'self' 'nonce-${nonce}'${isDev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self'${isDev ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' data:; font-src 'self'",
    `connect-src 'self' ${service}${isDev ? " ws:" : ""}`,
  ].join("; ");

  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("referrer-policy", "no-referrer"); // the URL of an order gives access to it
  response.headers.set("x-content-type-options", "nosniff");
  if (!isDev) response.headers.set("strict-transport-security", "max-age=63072000");
  return response;
}

export const config = { matcher: "/((?!_next/static/|postbacks$|status$|recover$).*)" };
