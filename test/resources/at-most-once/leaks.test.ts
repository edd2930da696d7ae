import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { expect, test, vi } from "vitest";
import {
  echoOf,
  JWT,
  leaksIn,
  OPAQUE_TOKEN,
  POSTBACK,
  PUBLIC,
  SECRET,
  tracesIn,
} from "../../support/canaries.ts";
import { json } from "../../support/http-server.ts";
import { aCardPayment, aPix, eventsOf } from "../../support/merchant.ts";
import { aCardData, aPixData, created } from "../../support/service-responses.ts";
import { alteredStore, merchantWithStore } from "../support/merchant-with-store.ts";

const KEYS = { secretKey: SECRET, publicKey: PUBLIC };
const CUSTOMER = {
  name: "ZULMIRA CANÁRIO",
  email: "zulmira@canary.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;

/** A driver's error, with the failed command and other fields, each containing all secrets. */
function errorWithSecrets(token: string): Error {
  const all = echoOf([SECRET, PUBLIC, token, POSTBACK]);
  const error = new Error(all, { cause: new Error(all) });
  return Object.assign(error, { command: all, args: [all], code: all, query: { text: all } });
}

async function createWith(changes: object, token = OPAQUE_TOKEN) {
  const opened = await merchantWithStore([created(aCardData())], { ...KEYS, store: alteredStore(changes) });
  const params = aCardPayment({ customer: CUSTOMER, postbackUrl: POSTBACK, card: { hash: token } });
  return { ...opened, call: opened.payments.transactions.createCard(params) };
}

test.each([
  ["before the request is sent", "claim", OPAQUE_TOKEN],
  ["before the request is sent", "claim", JWT],
  ["after the request is sent", "recordOutcome", JWT],
])("no error of a store that fails %s shows a key, card token or postback URL: %s (%#)", async (...row) => {
  const [, operation, token] = row;
  const fail = () => Promise.reject(errorWithSecrets(token));
  const { call, events } = await createWith({ [operation]: fail }, token);

  await call.catch(() => undefined);

  const [reported] = eventsOf(events, "error");
  expect(reported?.error).toBeInstanceOf(IdempotencyStoreError);
  expect(reported?.error.cause).toBeInstanceOf(Error);
  expect(leaksIn(reported?.error)).toEqual([]);
  expect(leaksIn(events)).toEqual([]);
});

test.each([
  ["pix", 201],
  ["pix", 500],
  ["card", 201],
])("a store receives no secret and no personal data of a %s, with %i", async (method, status) => {
  const store = memoryStore();
  const claim = vi.fn((...args: Parameters<PaymentsStore["claim"]>) => store.claim(...args));
  const end = vi.fn((...args: Parameters<PaymentsStore["recordOutcome"]>) => store.recordOutcome(...args));
  const echo = { postBackUrl: POSTBACK, metadata: "m3tad4ta", customer: CUSTOMER, unknown: "unkn0wn" };
  const data = method === "pix" ? aPixData(echo) : aCardData(echo);
  const reply = status === 201 ? created(data) : json(status, echo);
  const { payments } = await merchantWithStore([reply], {
    ...KEYS,
    store: alteredStore({ claim, recordOutcome: end }, store),
  });
  const common = { customer: CUSTOMER, postbackUrl: POSTBACK, metadata: "m3tad4ta", ip: "203.0.113.7" };

  if (method === "pix") await payments.transactions.createPix(aPix(common)).catch(() => undefined);
  else await payments.transactions.createCard(aCardPayment({ ...common, card: { hash: JWT } }));

  const stored = [claim.mock.calls, end.mock.calls];
  const text = JSON.stringify(stored);
  expect(text).toContain(status === 201 ? "4021" : '"outcome":"unknown"');
  expect(tracesIn(text)).toEqual([]);
  expect(text).not.toMatch(/zulmira|52998224725|11999990000|203\.0\.113|m3tad4ta|unkn0wn/i);
  expect(leaksIn(stored)).toEqual([]); // nor in properties that JSON does not show
});
