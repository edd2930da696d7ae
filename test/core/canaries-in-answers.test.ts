import { assertNotRefused, type PaymentsError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import {
  CVV,
  echoOf,
  HOLDER,
  JWT,
  leaksIn,
  NUMBER,
  OPAQUE_TOKEN,
  POSTBACK,
  PUBLIC,
  SECRET,
} from "../support/canaries.ts";
import { json, type Reply, startServer, text } from "../support/http-server.ts";
import { aCard, aCardPayment, aPix, failureOf, type Merchant } from "../support/merchant.ts";
import { aPixData, aRefusedData, envelope } from "../support/service-answers.ts";
import { TRANSPORTS } from "../support/transports.ts";

const KEYS = { secretKey: SECRET, publicKey: PUBLIC, maxRetries: 0 };

/** Each call with the canaries that it holds, and that an answer to it may therefore repeat. */
const CALLS = {
  card: {
    holds: [SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK],
    call: ({ payments }: Merchant) =>
      payments.transactions.createCard(aCardPayment({ card: { hash: OPAQUE_TOKEN }, postbackUrl: POSTBACK })),
  },
  "card with a JWT": {
    holds: [SECRET, PUBLIC, JWT, POSTBACK],
    call: ({ payments }: Merchant) =>
      payments.transactions.createCard(aCardPayment({ card: { hash: JWT }, postbackUrl: POSTBACK })),
  },
  pix: {
    holds: [SECRET, PUBLIC, POSTBACK],
    call: ({ payments }: Merchant) => payments.transactions.createPix(aPix({ postbackUrl: POSTBACK })),
  },
  token: {
    holds: [PUBLIC, NUMBER, CVV, HOLDER],
    call: ({ payments }: Merchant) =>
      payments.cardTokens.create(aCard({ number: NUMBER, cvv: CVV, holderName: HOLDER })),
  },
  company: { holds: [SECRET, PUBLIC], call: ({ payments }: Merchant) => payments.company.retrieve() },
  sellers: { holds: [SECRET, PUBLIC], call: ({ payments }: Merchant) => payments.sellers.list() },
} as const;

const STATUSES = [200, 201, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503];

/** Answers that repeat what they were sent, everywhere that an error looks. */
function echoes(status: number, holds: readonly string[]): [string, Reply][] {
  const echo = echoOf(holds);
  const inHeader = echo
    .split("\n")
    .filter((line) => /^[ -~]*$/.test(line))
    .join(" ");
  const headers = { "x-request-id": inHeader, "x-echo": `Basic ${btoa(`${SECRET}:${PUBLIC}`)}` };
  const issue = { field: echo, message: echo };
  return [
    ["a text", text(status, echo, headers)],
    ["a page", text(status, `<html><p>${echo}</p></html>`, { "content-type": "text/html" })],
    ["issues", json(status, { success: false, message: echo, errors: [issue] }, headers)],
    ["a map", json(status, { success: false, errors: { [echo]: [echo] }, [echo]: echo })],
    ["an error object", json(status, { success: false, error: { message: echo, path: [echo] } })],
  ];
}

function expectNoLeak(error: PaymentsError, merchant: Merchant): void {
  expect(leaksIn(error)).toEqual([]);
  expect(leaksIn(merchant.events)).toEqual([]);
  expect(merchant.events.at(-1)).toMatchObject({ type: "error", error });
}

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  describe.each(Object.entries(CALLS))(
    "an answer that repeats what it was sent: %s",
    (_name, { holds, call }) => {
      test.each(STATUSES)("with %i", async (status) => {
        for (const [_what, reply] of echoes(status, holds)) {
          const merchant = merchantAt((await startServer(reply)).baseUrl, KEYS);

          const error = await failureOf(call(merchant));

          expectNoLeak(error, merchant);
        }
      });
    },
  );

  describe("a transaction that an error carries", () => {
    const echo = echoOf([SECRET, PUBLIC, POSTBACK]);
    const data = aPixData({
      pix: { expirationDate: echo },
      metadata: echo,
      postBackUrl: POSTBACK,
      secureUrl: POSTBACK,
      customer: { name: echo, document: { type: echo } },
      [echo]: [{ [echo]: echo }],
    });

    test("has no secret left in it, nor in its raw body", async () => {
      const merchant = merchantAt((await startServer(json(201, envelope(data)))).baseUrl, KEYS);

      const error = await failureOf(CALLS.pix.call(merchant));

      expect(error).toMatchObject({ outcome: "created", transactionId: 4021, transaction: { id: 4021 } });
      const { transaction } = error as unknown as { transaction: { raw: unknown } };
      expectNoLeak(error, merchant);
      expect(leaksIn({ ...transaction })).toEqual([]);
      expect(leaksIn(transaction.raw)).toEqual([]);
      expect(transaction).not.toHaveProperty("postBackUrl");
    });

    test("has no postback URL either where the service wrote it in its own way", async () => {
      const rewritten = "https://canary.example:443/pb/?sig=c4naryXSig&order=1";
      const body = envelope(aPixData({ pix: null, postBackUrl: rewritten, postback_url: rewritten }));
      const merchant = merchantAt((await startServer(json(201, body))).baseUrl, KEYS);

      const error = await failureOf(CALLS.pix.call(merchant));

      const { transaction } = error as unknown as { transaction: { raw: unknown } };
      expectNoLeak(error, merchant);
      expect(leaksIn(transaction.raw)).toEqual([]);
    });
  });

  test("a body that broke off is kept without its secrets", async () => {
    const body = `{"success":true,"data":{"id":4021,"metadata":${JSON.stringify(echoOf([SECRET, OPAQUE_TOKEN]))},"a`;
    const merchant = merchantAt((await startServer(text(201, body))).baseUrl, KEYS);

    const error = await failureOf(CALLS.card.call(merchant));

    expect(error).toMatchObject({ outcome: "created", transactionId: 4021 });
    expectNoLeak(error, merchant);
  });

  test("a long body is struck out before it is cut, so that no secret stands at the edge", async () => {
    const reply = text(500, "x".repeat(65_536 - 8) + SECRET + OPAQUE_TOKEN);
    const merchant = merchantAt((await startServer(reply)).baseUrl, KEYS);

    const error = await failureOf(CALLS.card.call(merchant));

    expectNoLeak(error, merchant);
  });

  test("what is no secret stays readable", async () => {
    const reply = json(400, {
      errors: [{ field: "card.hash", message: `token ${OPAQUE_TOKEN} of order-1 is used` }],
    });
    const merchant = merchantAt((await startServer(reply)).baseUrl, KEYS);

    const error = await failureOf(CALLS.card.call(merchant));

    expect(error).toMatchObject({
      issues: [{ field: "card.hash", message: "token [redacted] of order-1 is used" }],
    });
  });

  test("a security code is struck out as itself, not inside other numbers", async () => {
    const reply = json(400, { errors: [{ field: "cvv", message: `${CVV} is wrong, see case 1${CVV}5` }] });
    const merchant = merchantAt((await startServer(reply)).baseUrl, KEYS);

    const error = await failureOf(CALLS.token.call(merchant));

    expect(error).toMatchObject({ issues: [{ message: "[redacted] is wrong, see case 183175" }] });
  });

  test.each([
    ["ANA", "of ANA and ana, not of BANANA", "of [redacted] and [redacted], not of BANANA"],
    ["Zé X", "of Zé X or Z\\u00e9 X", "of [redacted] or [redacted]"],
  ])("a name as short as %s is struck out as a word of its own", async (holderName, said, shown) => {
    const { baseUrl } = await startServer(json(400, { message: said }));
    const { payments } = merchantAt(baseUrl, KEYS);

    const error = await failureOf(payments.cardTokens.create(aCard({ holderName })));

    expect(error).toMatchObject({ issues: [{ message: shown }] });
  });

  test("a refusal whose reason repeats secrets is told without them", async () => {
    const echo = echoOf([SECRET, PUBLIC, OPAQUE_TOKEN, POSTBACK]);
    const data = aRefusedData({ refusedReason: echo, postBackUrl: POSTBACK });
    const merchant = merchantAt((await startServer(json(201, envelope(data)))).baseUrl, KEYS);

    const transaction = await CALLS.card.call(merchant);

    const error = await failureOf((async () => assertNotRefused(transaction))());
    expect(error).toMatchObject({ code: "card_refused", outcome: "created" });
    expect(leaksIn(error)).toEqual([]);
  });
});
