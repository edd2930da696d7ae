import { inspect } from "node:util";
import { EnvironmentMismatchError } from "payments-sdk";
import { expect, test } from "vitest";
import { json } from "../support/http-server.ts";
import { failureOf, type Merchant } from "../support/merchant.ts";
import { aCompany, aRevenue, aSeller, aStatus, envelope } from "../support/service-responses.ts";
import { issuesOfRead, read, startMerchant } from "../support/start-merchant.ts";

type Json = Record<string, unknown>;
type Name = "company" | "status" | "sellers" | "revenue";

/** How each endpoint is called, and its body with these fields replaced. */
const READS: Record<
  Name,
  [call: (merchant: Merchant) => PromiseLike<unknown>, body: (fields: Json) => unknown]
> = {
  company: [({ payments }) => payments.company.retrieve(), (fields) => envelope(aCompany(fields))],
  status: [({ payments }) => payments.status.retrieve(), aStatus],
  sellers: [({ payments }) => payments.sellers.list(), (fields) => [aSeller(fields)]],
  revenue: [({ payments }) => payments.sellers.revenue(), (fields) => [aRevenue(fields)]],
};

const withWebhook = (webhook: unknown) => ({
  configuration: { ...Object(aCompany()["configuration"]), webhook },
});

test.each<[Name, Json, unknown, string[]]>([
  ["company", { id: "7" }, { id: 7 }, ["data.id is a string"]],
  ["company", withWebhook("x"), withWebhook({}), ["data.configuration.webhook is a string"]],
  [
    "company",
    withWebhook({ url: "x", events: [7] }),
    withWebhook({ url: "x" }),
    ["data.configuration.webhook.events is an array"],
  ],
  ["company", { settlement: [] }, { settlement: { bank: {} } }, ["data.settlement is an array"]],
  ["status", { status: "x", environment: "y" }, { status: "x", environment: "y" }, []],
  ["status", { services: undefined }, { services: {} }, ["services is missing"]],
  ["status", { version: 1.4 }, { status: "online" }, ["version is a number"]],
  ["sellers", { id: 5 }, [aSeller({ id: "5" })], ["0.id is a number"]],
  ["sellers", { document: null }, [expect.not.objectContaining({ document: null })], ["0.document is null"]],
  ["revenue", { revenue: null }, [{ revenue: {} }], ["0.revenue is null"]],
  [
    "revenue",
    { revenue: { total: "1", month: 2 } },
    [{ revenue: { month: 2 } }],
    ["0.revenue.total is a string"],
  ],
  ["revenue", { seller_name: undefined }, [{ seller_id: "sel_1" }], ["0.seller_name is missing"]],
])("%s tolerates %j", async (name, fields, received, expectedDrift) => {
  const [call, body] = READS[name];

  const { data, drift } = await read(body(fields), call);

  expect(data).toMatchObject(received as object);
  expect(drift).toEqual(expectedDrift);
});

test.each<[Name, unknown, unknown, string[]]>([
  ["company", aCompany(), aCompany(), ["data is missing: the response has no envelope"]],
  ["company", { data: aCompany() }, aCompany(), ["success is missing"]],
  ["company", { success: "true", data: aCompany() }, aCompany(), ["success is a string"]],
  ["sellers", envelope([aSeller()]), [aSeller()], ["data is an envelope around the array"]],
  ["sellers", [], [], []],
])("%s is read from %j", async (name, body, received, expectedDrift) => {
  const { data, drift } = await read(body, READS[name][0]);

  expect(data).toEqual(received);
  expect(drift).toEqual(expectedDrift);
});

const HUGE = "9007199254740993";

test.each<[Name, unknown, ...(readonly [field: string, message: string])[]]>([
  ["company", null, ["data", "is missing"]],
  ["company", { success: true }, ["data.id", "is missing"]],
  ["company", { data: aCompany({ id: undefined }) }, ["data.id", "is missing"]],
  ["company", { data: aCompany({ id: HUGE }) }, ["data.id", "is a string"]],
  ["status", null, ["", "the body is null"]],
  ["status", [], ["", "the body is an array"]],
  ["sellers", {}, ["", "the body is an object, not an array"]],
  ["sellers", null, ["", "the body is null, not an array"]],
  // Without one of its entries, the list would be wrong.
  ["sellers", [aSeller(), aSeller({ id: "" }), 7], ["1.id", "is an empty string"], ["2.id", "is missing"]],
  ["revenue", [aRevenue({ seller_id: null })], ["0.seller_id", "is null"]],
])("%s cannot be read from %j", async (name, body, ...issues) => {
  const found = await issuesOfRead(body, READS[name][0]);

  expect(found).toEqual(issues.map(([field, message]) => ({ field, message })));
});

test("a company is printed without the URL of its webhook, which may contain a secret", async () => {
  const { data } = await read(envelope(aCompany()), ({ payments }) => payments.company.retrieve());

  const printed = inspect(data, { depth: 5, showHidden: true, getters: true });

  expect(data.configuration.webhook.url).toMatch(/^https:/);
  expect(printed).toContain("url: '[redacted]'");
  expect(printed).not.toContain(data.configuration.webhook.url);
});

test.each(["sandbox", "production"] as const)("assertEnvironment resolves in %s", async (environment) => {
  const { payments, arrivals } = await startMerchant(json(200, aStatus({ environment })));

  const { data, response } = await payments.status.assertEnvironment(environment).withResponse();

  expect([data, response.status]).toEqual([undefined, 200]);
  expect(arrivals).toMatchObject([{ url: "/api/v1/status" }]);
});

test.each<["sandbox" | "production", unknown, string]>([
  ["sandbox", "production", "reports production"],
  ["production", "sandbox", "reports sandbox"],
  ["sandbox", "Sandbox", "reports Sandbox"],
  ["sandbox", undefined, "reports none"],
])(
  "assertEnvironment throws if it expects %s and the environment is %j",
  async (expected, actual, message) => {
    const { payments } = await startMerchant(json(200, aStatus({ environment: actual })));

    const error = await failureOf(payments.status.assertEnvironment(expected));

    expect(error).toBeInstanceOf(EnvironmentMismatchError);
    expect(error).toMatchObject({
      ...{ name: "EnvironmentMismatchError", code: "environment_mismatch", outcome: "not_applicable" },
      ...{ actor: "merchant", endpoint: "status.retrieve", expected },
      message: expect.stringContaining(message),
    });
    expect(Reflect.get(error, "actual")).toBe(actual);
  },
);

test("assertEnvironment throws for an unknown environment without sending a request", async () => {
  const { payments, arrivals } = await startMerchant(json(200, aStatus()));

  const error = await failureOf(payments.status.assertEnvironment("staging" as "sandbox"));

  expect(error).toMatchObject({ code: "configuration", outcome: "not_applicable" });
  expect(arrivals).toHaveLength(0);
});
