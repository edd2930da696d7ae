import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { describe, expect, test, vi } from "vitest";
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
import { aCardPayment, aPix, eventsOf, failureOf } from "../../support/merchant.ts";
import { aCardData, aPixData, created } from "../../support/service-responses.ts";
import { alteredStore, guarded } from "./support/guarded.ts";

const KEYS = { secretKey: SECRET, publicKey: PUBLIC };
const CUSTOMER = {
  name: "ZULMIRA CANÁRIO",
  email: "zulmira@canary.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;

/** What a driver's error may hold: the command that failed, and whatever else was at hand. */
function errorWithAll(token: string): Error {
  const all = echoOf([SECRET, PUBLIC, token, POSTBACK]);
  const error = new Error(all, { cause: new Error(all) });
  return Object.assign(error, { command: all, args: [all], code: all, query: { text: all } });
}

async function creating(changes: object, token = OPAQUE_TOKEN) {
  const opened = await guarded([created(aCardData())], { ...KEYS, store: alteredStore(changes) });
  const params = aCardPayment({ customer: CUSTOMER, postbackUrl: POSTBACK, card: { hash: token } });
  return { ...opened, call: opened.payments.transactions.createCard(params) };
}

describe("neither key, card token nor postback URL is in", () => {
  test.each([OPAQUE_TOKEN, JWT])("the error of a store that fails before the send (%#)", async (token) => {
    const { call, events } = await creating({ claim: () => Promise.reject(errorWithAll(token)) }, token);

    const error = await failureOf(call);

    expect(error).toBeInstanceOf(IdempotencyStoreError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(leaksIn(error)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });

  test("the event of a store that fails after the send", async () => {
    const { call, events } = await creating({ end: () => Promise.reject(errorWithAll(JWT)) }, JWT);

    await call;

    const [reported] = eventsOf(events, "error");
    expect(reported?.error).toBeInstanceOf(IdempotencyStoreError);
    expect(reported?.error.cause).toBeInstanceOf(Error);
    expect(leaksIn(reported?.error)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });
});

test.each(["pix", "card"])("a store is given nothing secret or personal of a %s", async (method) => {
  const store = memoryStore();
  const claim = vi.fn((...args: Parameters<PaymentsStore["claim"]>) => store.claim(...args));
  const end = vi.fn((...args: Parameters<PaymentsStore["end"]>) => store.end(...args));
  const echo = { postBackUrl: POSTBACK, metadata: "m3tad4ta", customer: CUSTOMER, unknown: "unkn0wn" };
  const { payments } = await guarded([created(method === "pix" ? aPixData(echo) : aCardData(echo))], {
    ...KEYS,
    store: alteredStore({ claim, end }, store),
  });
  const common = { customer: CUSTOMER, postbackUrl: POSTBACK, metadata: "m3tad4ta", ip: "203.0.113.7" };

  if (method === "pix") await payments.transactions.createPix(aPix(common));
  else await payments.transactions.createCard(aCardPayment({ ...common, card: { hash: JWT } }));

  const given = [claim.mock.calls, end.mock.calls];
  const text = JSON.stringify(given);
  expect(text).toContain("4021");
  expect(tracesIn(text)).toEqual([]);
  expect(text).not.toMatch(/zulmira|52998224725|11999990000|203\.0\.113|m3tad4ta|unkn0wn/i);
  expect(leaksIn(given)).toEqual([]); // nor in what JSON does not show
});
