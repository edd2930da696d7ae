import { json } from "../answers.ts";
import { timestamp } from "../clock.ts";
import type { Gateway } from "../gateway.ts";
import { BadRequestError } from "./control-errors.ts";
import { readObject } from "./read-object.ts";
import type { Route } from "./route.ts";
import type { Overview } from "./views.ts";

export function serviceRoutes(gateway: Gateway): readonly Route[] {
  return [
    { method: "GET", path: "overview", answer: () => json(overviewOf(gateway)) },
    {
      method: "POST",
      path: "clock",
      answer: async ({ request }) => {
        const { advanceMs } = await readObject(request, ["advanceMs"]);
        if (typeof advanceMs !== "number") throw new BadRequestError("advanceMs must be a number.");
        gateway.clock.advance(advanceMs);
        return json({ now: timestamp(gateway.clock.now()) });
      },
    },
  ];
}

function overviewOf({ baseUrl, secretKey, publicKey, companyName, clock }: Gateway): Overview {
  return { baseUrl, secretKey, publicKey, companyName, now: timestamp(clock.now()) };
}
