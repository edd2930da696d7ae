import {
  ApiError,
  logEvents,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsErrorCode,
  type PaymentsEvent,
} from "payments-sdk";
import type { PostbackEvent, PostbackWarningEvent } from "payments-sdk/postbacks";
import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { beforeAll, describe, expect, test } from "vitest";
import { aCard, aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";

const PAGE = "observability.md";

type Level = "debug" | "info" | "warn" | "error";

/** A client whose events are logged, with the level of each. */
function open(options: PaymentsClientOptions = {}) {
  const logged: { level: Level; text: string; event: PaymentsEvent }[] = [];
  const at = (level: Level) => (text: string, event: object) =>
    logged.push({ level, text, event: event as PaymentsEvent });
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey, fetch } = gateway;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey, fetch, maxRetries: 1, ...options },
    onEvent: logEvents({ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }),
  });
  return { gateway, payments, logged };
}

/** Calls in which each type of event occurs. */
async function everything() {
  const { gateway, payments, logged } = open({
    fetch: async (url, init) => {
      const answer = await gateway.fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.set("x-request-id", "req_1");
      return new Response(answer.body, { status: answer.status, headers });
    },
  });
  const fail = (on: "transactions.create" | "company.retrieve", kind: FaultKind) =>
    gateway.faults.add({ on, kind });

  fail("company.retrieve", "html_502");
  await payments.company.retrieve();
  fail("transactions.create", "drifted_body");
  await payments.transactions.createPix(aPix({ pix: { expiresInDays: 31 } }));
  await failureOf(payments.transactions.createPix(aPix({ amount: 1 })));
  return logged;
}

describe("the table of events", () => {
  let logged: Awaited<ReturnType<typeof everything>>;
  beforeAll(async () => {
    logged = await everything();
  });
  const rows = tableOf(PAGE, "Logs").map(([type = "", level = "", fields = ""]) => ({
    type,
    level,
    fields: fields.split(", "),
  }));

  test("has each type once", () => {
    const types: Record<PaymentsEvent["type"], true> = {
      request: true,
      response: true,
      retry: true,
      drift: true,
      warning: true,
      error: true,
    };

    expect(rows.map(({ type }) => type).sort()).toEqual(Object.keys(types).sort());
  });

  test.each(rows)("is right about $type", ({ type, level, fields }) => {
    const events = logged.filter(({ event }) => event.type === type);
    const names = new Set(events.flatMap(({ event }) => Object.keys(event)));

    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map((line) => line.level))).toEqual(new Set([level]));
    expect([...names].filter((name) => !["type", "endpoint", "externalRef"].includes(name)).sort()).toEqual(
      fields.sort(),
    );
  });

  test("is right that status and requestId are missing where there was none", async () => {
    const shop = open();
    shop.gateway.faults.add({ on: "company.retrieve", kind: "refused_connection" });

    await shop.payments.company.retrieve();

    const [retry] = shop.logged.filter(({ event }) => event.type === "retry");
    const [response] = shop.logged.filter(({ event }) => event.type === "response");
    expect(retry?.event).not.toHaveProperty("status");
    expect(response?.event).not.toHaveProperty("requestId");
  });
});

test("a refused card is no event but a response", async () => {
  const { payments, logged } = open();
  const hash = await payments.cardTokens.create(aCard({ number: "4000000000009995" }));

  const { status } = await payments.transactions.createCard(aCardPayment({ card: { hash } }));

  const ofCreate = logged.filter(({ event }) => event.endpoint === "transactions.create");
  expect(status).toBe("refused");
  expect(ofCreate.map(({ event }) => event.type)).toEqual(["request", "response"]);
});

test("what a logger gets of an error is without the body, which may repeat the buyer's name", async () => {
  const body = JSON.stringify({ message: "Blocked", data: { customer: { name: "Ana Exemplo" } } });
  const { payments, logged } = open({ fetch: async () => new Response(body, { status: 403 }) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).body).toContain("Ana Exemplo");
  expect(error.message).toContain("Blocked");
  expect(JSON.stringify(error)).not.toContain("Ana Exemplo");
  expect(JSON.stringify(logged)).not.toContain("Ana Exemplo");
});

test("a card number that the service repeats to a client that was never given it stays in its words", async () => {
  const number = "4111111111111111";
  const issue = { field: "card.hash", message: `no token of ${number}` };
  const body = JSON.stringify({ success: false, message: `Refused ${number}`, errors: [issue] });
  const { payments, logged } = open({ fetch: async () => new Response(body, { status: 400 }) });

  const error = await failureOf(payments.transactions.createPix(aPix()));

  expect(error).toMatchObject({ body, issues: [issue], message: expect.stringContaining(number) });
  expect(JSON.stringify(logged)).toContain(number);
});

test("what to alert on names events and codes that there are", () => {
  const known: Record<
    | PaymentsEvent["type"]
    | PostbackEvent["type"]
    | PostbackWarningEvent["reason"]
    | PaymentsErrorCode
    | "unknown",
    "of the client" | "of the handler" | "code" | "outcome" | "reason"
  > = {
    ...{ other_transactions: "reason", slow_handler: "reason" },
    ...{ request: "of the client", response: "of the client", retry: "of the client" },
    ...{ drift: "of the client", warning: "of the client", error: "of the client" },
    ...{ handled: "of the handler", duplicate: "of the handler", busy: "of the handler" },
    ...{ refused: "of the handler", failed: "of the handler", store_failed: "of the handler" },
    ...{
      configuration: "code",
      invalid_request: "code",
      card_token_expired: "code",
      validation_failed: "code",
    },
    ...{ authentication_failed: "code", not_found: "code", rate_limited: "code", api_error: "code" },
    ...{ server_error: "code", redirected: "code", connection_failed: "code", timed_out: "code" },
    ...{ aborted: "code", unexpected_response: "code", card_refused: "code", idempotency_conflict: "code" },
    ...{ outcome_pending: "code", idempotency_store_failed: "code", environment_mismatch: "code" },
    ...{ invalid_postback: "code", untrusted_postback: "code", unknown: "outcome" },
  };
  const [, section = ""] = pageOf(PAGE).split("## What to alert on\n");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| "));

  const named = rows.flatMap((row) =>
    Array.from((row.split("|")[2] ?? "").matchAll(/`([a-z_]+)`/g), ([, name = ""]) => name),
  );
  const others = ["externalRef", "field"];

  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !Object.hasOwn(known, name) && !others.includes(name))).toEqual([]);
});
