import { memoryStore } from "payments-sdk/idempotency";
import { describe, expect, test } from "vitest";
import { DocumentPostbacks } from "../../../src/idempotency/document-postbacks.ts";
import { MemoryDocuments } from "../../../src/idempotency/memory-documents.ts";
import { POSTBACK } from "../support/signing.ts";
import { aReceiver, DUPLICATE, HANDLED, urlOf } from "./support/receiver.ts";

const MANY = 1_100;

describe.each([
  ["in memory", () => memoryStore()],
  ["in a database", () => new DocumentPostbacks(new MemoryDocuments(1))],
])("what decides is never forgotten %s:", (_name, open) => {
  test.each([
    ["amounts", (at: number) => ({ amount: at + 1 })],
    ["statuses that nobody knows", (at: number) => ({ status: `state ${at}` })],
    ["refunds of a part", (at: number) => ({ amount: at + 1, status: "refunded" })],
  ])("after a flood of %s a payment is still known", async (_what, other) => {
    const store = open();
    const { post, onPostback } = aReceiver({ store });
    const url = await urlOf();
    await post(POSTBACK, url);

    for (let at = 0; at < MANY; at += 1) await post({ ...POSTBACK, ...other(at) }, url);

    expect(await post(POSTBACK, url)).toEqual(DUPLICATE);
    expect(await post({ ...POSTBACK, status: "PAID" }, url)).toEqual(HANDLED);
    expect(onPostback.mock.lastCall?.[1]).toMatchObject({ previousStatus: "approved", transition: "repeat" });
  });
});
