import type { GatewayChange } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { postingTo, statusesOf } from "./support/posting.ts";
import { aReceiver } from "./support/receiver.ts";

describe("a listener that makes the next move", () => {
  test("makes it after the one it heard of is whole: the postbacks keep their order", async () => {
    const receiver = await aReceiver();
    const { gateway, pix } = postingTo(receiver, { onCreation: true });
    gateway.subscribe((change) => {
      if (change.type !== "transaction") return;
      const { id, status } = change.transaction;
      if (status === "pending") gateway.pay(id);
      if (status === "approved") gateway.refund(id);
    });

    await pix();
    await gateway.settled();

    expect(statusesOf(receiver)).toEqual(["pending", "approved", "refunded"]);
  });

  test("and all others hear of both, in their order", async () => {
    const { gateway, pix } = postingTo(await aReceiver());
    const heard: string[] = [];
    const nameOf = (change: GatewayChange) =>
      change.type === "transaction" ? change.transaction.status : change.type;
    gateway.subscribe((change) => {
      if (change.type === "transaction" && change.transaction.status === "pending") {
        gateway.cancel(change.transaction.id);
      }
    });
    gateway.subscribe((change) => heard.push(nameOf(change)));

    await pix();

    expect(heard).toEqual(["pending", "cancelled", "delivery"]);
  });
});
