import { expect, test } from "vitest";
import { byCard } from "../../client/at-most-once/support/guarded.ts";
import { HOLDER, JWT, POSTBACK, PUBLIC, SECRET, tracesIn } from "../../support/canaries.ts";
import { type Reply, startServer, text } from "../../support/http-server.ts";
import { aCardPayment, aPix, failureOf, merchantAt } from "../../support/merchant.ts";
import { aCardData, aPixData, created } from "../../support/service-answers.ts";
import { listed } from "../support/orders.ts";
import { onEverySharedStore } from "../support/stores.ts";

const ECHO = {
  postBackUrl: POSTBACK,
  metadata: "m3tad4ta",
  customer: {
    name: HOLDER,
    email: "zulmira@buyer.example",
    document: { type: "cpf", number: "52998224725" },
  },
  unknown: "unkn0wn",
};
const SENT = { customer: { ...aPix().customer, name: HOLDER }, postbackUrl: POSTBACK, metadata: "m3tad4ta" };
const PERSONAL = /zulmira|can.rio|ana exemplo|@|52998224725|11999990000|203\.0\.113|m3tad4ta|unkn0wn/i;

onEverySharedStore("what is kept of a payment", (database) => {
  async function open(reply: Reply) {
    const { store, contents } = await database();
    const opened = await store();
    const { baseUrl } = await startServer(reply);
    const { payments } = merchantAt(baseUrl, { idempotency: opened, secretKey: SECRET, publicKey: PUBLIC });
    return { payments, contents, store: opened };
  }

  test("by pix is no personal data, no key and no postback URL", async () => {
    const { payments, contents } = await open(created(aPixData(ECHO)));

    await payments.transactions.createPix(aPix(SENT));

    const kept = await contents();
    expect(kept).toContain("4021");
    expect(kept).toContain("order-1");
    expect(tracesIn(kept)).toEqual([]);
    expect(kept).not.toMatch(PERSONAL);
  });

  test("by card is no personal data, no token and no postback URL", async () => {
    const { payments, contents } = await open(created(aCardData(ECHO)));
    const customer = { ...aCardPayment().customer, name: HOLDER };

    await payments.transactions.createCard(aCardPayment({ ...SENT, customer, card: { hash: JWT } }));

    const kept = await contents();
    expect(kept).toContain("4021");
    expect(tracesIn(kept)).toEqual([]);
    expect(kept).not.toMatch(PERSONAL);
  });

  test("of which nobody knows is its terms", async () => {
    const { payments, contents, store } = await open(text(500, `${HOLDER} ${POSTBACK}`));

    await failureOf(byCard(payments));

    expect(await listed(store)).toMatchObject([{ amount: 1990, installments: "1" }]);
    expect(tracesIn(await contents())).toEqual([]);
    expect(await contents()).not.toMatch(PERSONAL);
  });
});
