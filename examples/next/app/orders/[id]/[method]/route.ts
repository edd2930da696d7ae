import { addressOf, payByCard, payByPix } from "../../../../lib/pay";
import { show } from "../../../../lib/view";

export const maxDuration = 60;

interface Context {
  params: Promise<{ id: string; method: string }>;
}

/** `/orders/<id>/pix` and `/orders/<id>/card`, for clients that are not the page: an app, a test. Returns a `View`. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const { id, method } = await params;
  // Actions have such checks built in.
  if (isFromOtherSite(request.headers)) return new Response(null, { status: 403 });
  if (!request.headers.get("content-type")?.startsWith("application/json"))
    return new Response(null, { status: 415 });
  const { token } = (await request.json().catch(() => null)) ?? {};

  const ip = addressOf(request.headers);
  if (method === "pix") await payByPix(id, ip);
  else if (method === "card" && typeof token === "string") await payByCard(id, token, ip);
  else return new Response(null, { status: 400 });
  const view = await show(id, ip);
  return view ? Response.json(view) : new Response(null, { status: 404 });
}

/** Browsers send these headers, and scripts cannot change them. */
function isFromOtherSite(headers: Headers): boolean {
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  if (site) return site !== "same-origin";
  return origin !== null && origin.replace(/^https?:\/\//, "") !== headers.get("host");
}
