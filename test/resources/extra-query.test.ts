import { inspect } from "node:util";
import type { PaymentsClient, ReadOptions } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import { aCard, aPix, eventsOf, failureOf } from "../support/merchant.ts";
import { aCompany, aRevenue, aSeller, aStatus } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

type Read = (payments: PaymentsClient, options: ReadOptions) => Promise<unknown>;

const READS: readonly (readonly [path: string, body: unknown, read: Read])[] = [
  ["/api/v1/company", { data: aCompany() }, ({ company }, options) => company.retrieve(options)],
  ["/api/v1/status", aStatus(), ({ status }, options) => status.retrieve(options)],
  ["/api/v1/status", aStatus(), ({ status }, options) => status.assertEnvironment("sandbox", options)],
  ["/sellers", [aSeller()], ({ sellers }, options) => sellers.list(options)],
  ["/sellers/revenue", [aRevenue()], ({ sellers }, options) => sellers.revenue(options)],
];

describe.each(READS)("a read of %s", (path, body, read) => {
  test("sends extraQuery as its query, and its events do not show it", async () => {
    const { payments, arrivals, events } = await startMerchant(json(200, body));

    const extraQuery = { page: 2, "a b": "c&d", active: true, limit: undefined };
    await read(payments, { extraQuery });
    await read(payments, { extraQuery: {} });

    expect(arrivals.map(({ url }) => url)).toEqual([`${path}?page=2&a%20b=c%26d&active=true`, path]);
    expect(eventsOf(events, "request").map((event) => event.path)).toEqual([path, path]);
  });

  test("reports every invalid value of extraQuery before it is sent", async () => {
    const { payments, arrivals } = await startMerchant(json(200, body));

    const extraQuery = { page: null, limit: { a: 1 }, size: Number.NaN };
    const error = await failureOf(read(payments, { extraQuery: extraQuery as never, timeout: 0 }));
    const lost = await failureOf(read(payments, { extraQuery: new URLSearchParams("page=2") as never }));

    const fields = ["extraQuery.page", "extraQuery.limit", "extraQuery.size", "options.timeout"];
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not_applicable" });
    expect(error).toMatchObject({ issues: fields.map((field) => ({ field })) });
    expect(lost).toMatchObject({ code: "invalid_request", issues: [{ field: "extraQuery" }] });
    expect(arrivals).toHaveLength(0);
  });
});

test("create calls and tokenization have no extraQuery, so the public key cannot be replaced", async () => {
  const { payments, arrivals } = await startMerchant(json(200, {}));
  const options = { extraQuery: { publicKey: "pk_other" } } as object;

  const create = await failureOf(payments.transactions.createPix(aPix(), options));
  const token = await failureOf(payments.cardTokens.create(aCard(), options));

  for (const error of [create, token]) {
    expect(error).toMatchObject({ code: "invalid_request", issues: [{ field: "options.extraQuery" }] });
  }
  expect(arrivals).toHaveLength(0);
});

test("a token in extraQuery that a response repeats is redacted", async () => {
  const { payments } = await startMerchant(json(400, { message: "tok-4f9c is not known" }), {
    maxRetries: 0,
  });

  const error = await failureOf(payments.sellers.list({ extraQuery: { token: "tok-4f9c" } }));

  expect(inspect([error, JSON.stringify(error)], { depth: 9 })).not.toContain("tok-4f9c");
});
