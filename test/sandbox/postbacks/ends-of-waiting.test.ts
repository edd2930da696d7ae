import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { postingTo } from "../support/posting.ts";
import { aReceiver } from "../support/receiver.ts";

test("nothing listens to the time of a postback any more that was answered", async () => {
  const signals: AbortSignal[] = [];
  const { gateway, pix } = postingTo(await aReceiver(), {
    fetch: async (_url, init) => {
      if (init?.signal) signals.push(init.signal);
      return new Response("thank you");
    },
  });

  gateway.pay(await pix());
  await gateway.settled();

  expect(signals.map((signal) => getEventListeners(signal, "abort").length)).toEqual([0]);
});
