import { IdempotencyStoreError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
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
import { json } from "../../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf } from "../../support/merchant.ts";
import { aCardData, aPixData, created, envelope } from "../../support/service-answers.ts";
import { alteredStore, guarded, METHODS } from "./support/guarded.ts";

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

  test.each([OPAQUE_TOKEN, JWT])("the event of a store that fails after the send (%#)", async (token) => {
    const { call, events } = await creating({ end: () => Promise.reject(errorWithAll(token)) }, token);

    await call;

    const [told] = eventsOf(events, "error");
    expect(told?.error).toBeInstanceOf(IdempotencyStoreError);
    expect(told?.error.cause).toBeInstanceOf(Error);
    expect(leaksIn(told?.error)).toEqual([]);
    expect(leaksIn(events)).toEqual([]);
  });

  test("what a driver adds to its error: the statement holds the reference and the record", async () => {
    const error = Object.assign(new Error("WRONGTYPE"), { command: { name: "eval", args: ["x9y8z7"] } });
    const { call } = await creating({ claim: () => Promise.reject(error) });

    expect(leaksIn(await failureOf(call))).toEqual([]);
    expect(JSON.stringify((await failureOf(call)).toJSON())).not.toContain("x9y8z7");
    expect(Object.keys((await failureOf(call)).cause ?? {})).not.toContain("command");
  });
});

describe.each(METHODS)("what a store is given of a %s", (method) => {
  test("is nothing personal, no token, no key and no postback URL", async () => {
    const store = memoryStore();
    const given: unknown[] = [];
    const claim = vi.fn((...args: Parameters<typeof store.claim>) => {
      given.push(args);
      return store.claim(...args);
    });
    const end = vi.fn((...args: Parameters<typeof store.end>) => {
      given.push(args);
      return store.end(...args);
    });
    const echo = { postBackUrl: POSTBACK, metadata: "m3tad4ta", customer: CUSTOMER, unknown: "unkn0wn" };
    const data = method === "pix" ? aPixData(echo) : aCardData(echo);
    const { payments } = await guarded([json(201, envelope(data))], {
      ...KEYS,
      store: alteredStore({ claim, end }, store),
    });
    const common = { customer: CUSTOMER, postbackUrl: POSTBACK, metadata: "m3tad4ta", ip: "203.0.113.7" };

    if (method === "pix") await payments.transactions.createPix(aPix(common));
    else await payments.transactions.createCard(aCardPayment({ ...common, card: { hash: JWT } }));

    const text = JSON.stringify(given);
    expect(end).toHaveBeenCalledTimes(1);
    expect(text).toContain("4021");
    expect(tracesIn(text)).toEqual([]);
    expect(text).not.toMatch(/zulmira|52998224725|11999990000|203\.0\.113|m3tad4ta|unkn0wn/i);
    expect(leaksIn(given)).toEqual([]); // nor in what JSON does not show
  });
});

test("the error of a store that fails to settle reaches the handler's event only, not the sender", async () => {
  const signer = new PostbackUrlSigner({
    keys: [{ kid: "k", secret: "a secret of the tests, which is long enough" }],
  });
  const store = alteredStore({
    settle: () => Promise.reject(new Error("p4ssw0rd in the connection string")),
  });
  const onEvent = vi.fn();
  const handler = createPostbackHandler({ signer, store, onPostback: () => {}, onEvent });
  const body = { id: 1, status: "approved", externalRef: "order-1", amount: 1990 };
  const url = await signer.sign("https://loja.example/p", body);

  const response = await handler.fetch(new Request(url, { method: "POST", body: JSON.stringify(body) }));

  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("p4ssw0rd");
  expect(onEvent).toHaveBeenCalledWith(expect.objectContaining({ type: "store_failed" }));
});
