import { json } from "../answers.ts";
import type { Gateway } from "../gateway.ts";
import { readObject } from "./read-object.ts";
import type { Route } from "./route.ts";

const LISTED_MAX = 100;

export function deliveryRoutes(gateway: Gateway): readonly Route[] {
  return [
    {
      method: "GET",
      path: "deliveries",
      answer: () => json({ deliveries: gateway.deliveries.slice(-LISTED_MAX).toReversed() }),
    },
    {
      method: "POST",
      path: "deliveries/:id/resend",
      answer: async ({ params, request }) => {
        await readObject(request, []);
        return json(gateway.resendPostback(Number(params["id"])));
      },
    },
    // A receiver for those who have none yet: `postbackUrl` may point here.
    { method: "POST", path: "inbox", answer: () => new Response(null, { status: 204 }) },
  ];
}
