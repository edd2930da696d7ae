import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test } from "vitest";
import { byCard, merchantWithStore } from "../client/at-most-once/support/merchant-with-store.ts";
import { HOLDER, JWT, POSTBACK, PUBLIC, SECRET, tracesIn } from "../support/canaries.ts";
import { type Reply, text } from "../support/http-server.ts";
import { aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { aCardData, aPixData, created } from "../support/service-responses.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { listed } from "./support/orders.ts";

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

async function open(reply: Reply) {
  const file = join(temporaryFolder(), "store.db");
  const store = sqliteStore(file);
  const database = new DatabaseSync(file);
  onTestFinished(() => {
    store.close();
    database.close();
  });
  const kept = () => JSON.stringify(database.prepare("SELECT * FROM payments_orders").all());
  return {
    ...(await merchantWithStore([reply], { store, secretKey: SECRET, publicKey: PUBLIC })),
    store,
    kept,
  };
}

function expectNothingPersonal(kept: string): void {
  expect(kept).toContain("order-1");
  expect(tracesIn(kept)).toEqual([]);
  expect(kept).not.toMatch(PERSONAL);
}

test("a pix is kept without personal data, keys and postback URL", async () => {
  const { payments, kept } = await open(created(aPixData(ECHO)));

  await payments.transactions.createPix(aPix(SENT));

  expect(kept()).toContain("4021");
  expectNothingPersonal(kept());
});

test("a card payment is kept without personal data, token and postback URL", async () => {
  const { payments, kept } = await open(created(aCardData(ECHO)));
  const customer = { ...aCardPayment().customer, name: HOLDER };

  await payments.transactions.createCard(aCardPayment({ ...SENT, customer, card: { hash: JWT } }));

  expect(kept()).toContain("4021");
  expectNothingPersonal(kept());
});

test("for a payment without a usable response, only its terms are kept", async () => {
  const { payments, kept, store } = await open(text(500, `${HOLDER} ${POSTBACK}`));

  await failureOf(byCard(payments));

  expect(await listed(store)).toMatchObject([{ amount: 1990, installments: "1" }]);
  expectNothingPersonal(kept());
});
