import {
  type CardToken,
  CardTokenizer,
  type FetchLike,
  PaymentsClient,
  type PaymentsError,
} from "payments-sdk";
import type { FaultKind, Gateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { start } from "../sandbox/support/running.ts";
import { aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

/** The client and the sandbox know nothing of each other but the wire: what one claims the other can check. */

async function open(fetch: FetchLike | undefined, { timeout = 5_000 } = {}) {
  const { baseUrl, secretKey, publicKey, gateway } = await start();
  return { gateway, payments: new PaymentsClient({ baseUrl, secretKey, publicKey, timeout, fetch }) };
}

type Opened = Awaited<ReturnType<typeof open>>;
type Method = "pix" | "card";

const METHODS: readonly Method[] = ["pix", "card"];

const CARD = {
  number: "4111111111111111",
  holderName: "ANA EXEMPLO",
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: "123",
};

/** Made in the buyer's page: the merchant's server has no connection left over from it. */
function tokenFrom(gateway: Gateway): Promise<CardToken> {
  const { baseUrl, publicKey } = gateway;
  const fetch: FetchLike = (url, init) => gateway.fetch(new Request(url, init));
  return new CardTokenizer({ baseUrl, publicKey, fetch }).tokenize(CARD);
}

/** Arms the fault once there is a token to pay with. */
async function createWith(kind: FaultKind, method: Method, { gateway, payments }: Opened) {
  const card = method === "card" ? { hash: await tokenFrom(gateway) } : undefined;
  gateway.faults.add({ on: "transactions.create", kind });
  return card
    ? payments.transactions.createCard(aCardPayment({ card }))
    : payments.transactions.createPix(aPix());
}

/** How long a client waits that shall meet its deadline. */
const IMPATIENT = { timeout: 1_500 };

/** Whether the charges of the reference are what the outcome promises. */
function isTrue(error: PaymentsError, gateway: Gateway): boolean {
  const ids = gateway.chargesFor("order-1").map(({ id }) => id);
  switch (error.outcome) {
    case "not_sent":
    case "rejected":
      return ids.length === 0;
    case "created":
      return ids.length === 1 && ids[0] === Reflect.get(error, "transactionId");
    case "unknown":
      return ids.length <= 1;
    case "not_applicable":
      return false;
  }
}

describe.each(TRANSPORTS)("over $name", ({ fetch }) => {
  describe.each(METHODS)("a create by %s", (method) => {
    test.each<[FaultKind, string, string, PaymentsError["outcome"], number]>([
      ["charged_then_reset", "ConnectionError", "connection_failed", "unknown", 1],
      ["charged_then_stalled", "TimeoutError", "timed_out", "unknown", 1],
      ["charged_then_500", "ServerError", "server_error", "unknown", 1],
      ["stalled_body", "TimeoutError", "timed_out", "unknown", 1],
      ["redirect_307", "RedirectError", "redirected", "rejected", 0],
      ["html_502", "ServerError", "server_error", "unknown", 0],
      ["truncated_json", "UnexpectedResponseError", "unexpected_response", "created", 1],
      ["rate_limited", "RateLimitError", "rate_limited", "rejected", 0],
      ["refused_connection", "ConnectionError", "connection_failed", "not_sent", 0],
    ])("that meets %s fails with %s, %s, %s, and %i charge", async (kind, name, code, outcome, charges) => {
      const opened = await open(fetch, kind.includes("stalled") ? IMPATIENT : {});

      const error = await failureOf(createWith(kind, method, opened));

      expect(error).toMatchObject({ name, code, outcome, endpoint: "transactions.create" });
      expect(error.externalRef).toBe("order-1");
      expect(opened.gateway.chargesFor("order-1")).toHaveLength(charges);
      expect(isTrue(error, opened.gateway)).toBe(true);
    });

    test.each<[FaultKind, string, string]>([
      ["unknown_status", "unrecognized", "PENDING_3DS"],
      ["drifted_body", method === "pix" ? "pending" : "approved", method === "pix" ? "pending" : "approved"],
    ])("that meets %s resolves, and is charged once: status %s", async (kind, status, rawStatus) => {
      const opened = await open(fetch);

      const transaction = await createWith(kind, method, opened);

      const charges = opened.gateway.chargesFor("order-1");
      expect(transaction).toMatchObject({ status, rawStatus, amount: 1990 });
      expect(charges.map(({ id }) => id)).toEqual([transaction.id]);
    });

    test("that went well after a fault is charged once more, by its own id", async () => {
      const opened = await open(fetch);
      await failureOf(createWith("rate_limited", method, opened));

      const { gateway, payments } = opened;
      const card = { hash: await payments.cardTokens.create(CARD) };
      const transaction =
        method === "card"
          ? await payments.transactions.createCard(aCardPayment({ card }))
          : await payments.transactions.createPix(aPix());

      expect(gateway.chargesFor("order-1").map(({ id }) => id)).toEqual([transaction.id]);
    });
  });
});
