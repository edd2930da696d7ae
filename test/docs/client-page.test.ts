import {
  type CreateOptions,
  InvalidRequestError,
  PaymentsClient,
  type PaymentsEvent,
  type RequestOptions,
  type ResponseMeta,
} from "payments-sdk";
import { createGateway } from "payments-sdk/sandbox";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aCard, aCardPayment, aPix, failureOf } from "../support/merchant.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";
import { attemptsOf, openFailing } from "./support/failing-client.ts";

const PAGE = "client.md";
const DAY_IN_MS = 24 * 60 * 60 * 1000;

afterEach(() => void vi.useRealTimers());

/** Each call of the client, by its name in the page. */
const CALLS: Readonly<Record<string, (payments: PaymentsClient) => PromiseLike<unknown>>> = {
  "transactions.createPix": ({ transactions }) => transactions.createPix(aPix()),
  "transactions.createCard": ({ transactions }) => transactions.createCard(aCardPayment()),
  "transactions.create": ({ transactions }) => transactions.create({ ...aPix(), paymentMethod: "pix" }),
  "cardTokens.create": ({ cardTokens }) => cardTokens.create(aCard()),
  "company.retrieve": ({ company }) => company.retrieve(),
  "status.retrieve": ({ status }) => status.retrieve(),
  "status.assertEnvironment": ({ status }) => status.assertEnvironment("sandbox"),
  "sellers.list": ({ sellers }) => sellers.list(),
  "sellers.revenue": ({ sellers }) => sellers.revenue(),
};

describe("the table of calls", () => {
  const rows = tableOf(PAGE, "Calls").map(
    ([call = "", , again = ""]) => [call.replace(/\(.*/, ""), again] as const,
  );

  test("has each method of the client once", () => {
    const { payments } = openFailing();

    const methods = Object.entries(payments).flatMap(([resource, its]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(its))
        .filter((name) => name !== "constructor")
        .map((name) => `${resource}.${name}`),
    );

    expect(rows.map(([call]) => call).sort()).toEqual(methods.sort());
  });

  test.each(rows)("is right that %s is tried again: %s", async (call, again) => {
    const attempts = await attemptsOf((payments) => CALLS[call]?.(payments) ?? expect.unreachable());

    expect(attempts).toBe(again === "yes" ? 3 : 1);
  });
});

describe("the table of a call's options", () => {
  const rows = tableOf(PAGE, "Options of a call");

  test("has each option once", () => {
    const options: Record<keyof CreateOptions, true> = {
      ...{ timeout: true, signal: true, headers: true, extraBody: true, wait: true },
    };

    expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(options).sort());
  });

  test.each(rows)("is right that %s is for %s", async (name = "", whose = "") => {
    const { payments } = openFailing({ maxRetries: 0 });
    const options: RequestOptions = { [name]: undefined };

    const ofRead = await failureOf(payments.company.retrieve(options));
    const ofCreate = await failureOf(payments.transactions.createPix(aPix(), options));

    expect(ofRead instanceof InvalidRequestError).toBe(whose !== "all");
    expect(ofCreate).not.toBeInstanceOf(InvalidRequestError);
  });
});

test("everything that comes with a result is named", () => {
  const names: Record<keyof ResponseMeta, true> = {
    ...{ status: true, headers: true, requestId: true, durationMs: true, replayed: true },
  };
  const [, section = ""] = pageOf(PAGE).split("## What came with a result\n");

  expect(Object.keys(names).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

describe("what a create is made of", () => {
  const create = async (params: object) => {
    const warned: string[] = [];
    const { baseUrl, secretKey, publicKey, fetch, clock } = createGateway({ alphanumericCnpj: true });
    const onEvent = (event: PaymentsEvent) => event.type === "warning" && warned.push(event.field);
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, onEvent });
    const { pix, metadata } = await payments.transactions.createPix({ ...aPix(), ...params });
    const days = Math.round((Date.parse(pix.expirationDate ?? "") - clock.now()) / DAY_IN_MS);
    return { warned, metadata, days };
  };
  const { customer } = aPix();
  const withLetters = { ...customer, document: { type: "cnpj", number: "12.ABC.345/01DE-35" } };
  const item = { title: "Livro", unitPrice: 1, quantity: 1, tangible: true };

  test.each([
    ["a CNPJ with letters", { customer: withLetters }, "customer.document.number"],
    ["items that do not add up", { items: [item] }, "items"],
    ["more than 30 days", { pix: { expiresInDays: 31 } }, "pix.expiresInDays"],
  ])("%s is sent, with a warning", async (_what, params, field) => {
    expect((await create(params)).warned).toEqual([field]);
  });

  test.each([
    [undefined, 1],
    [3, 3],
    [31, 30],
  ])("a code of %s days can be paid for %i", async (expiresInDays, days) => {
    expect((await create({ pix: { expiresInDays } })).days).toBe(days);
  });

  test.each([
    ["half a day", { pix: { expiresInDays: 0.5 } }],
    ["more than 64 kB of metadata", { metadata: { text: "x".repeat(64_000) } }],
    ["a reference of more than 1,000 characters", { externalRef: "x".repeat(1_001) }],
  ])("%s is not sent", async (_what, params) => {
    await expect(create(params)).rejects.toBeInstanceOf(InvalidRequestError);
  });

  test("metadata comes back as text", async () => {
    expect((await create({ metadata: { cart: 42 } })).metadata).toBe('{"cart":42}');
  });
});
