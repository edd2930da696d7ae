import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Merchant } from "../support/merchant.ts";
import { aCompany, aStatus } from "../support/service-responses.ts";
import { issuesOfRead, read } from "../support/start-merchant.ts";

describe("the company", () => {
  const retrieve = ({ payments }: Merchant) => payments.company.retrieve();
  const withWebhook = (webhook: unknown) => ({
    configuration: { ...(aCompany()["configuration"] as object), webhook },
  });
  const configuredWith = (webhook: object) => ({ configuration: { autoCapture: true, webhook } });

  test("is printed without the URL of its webhook, which may contain a secret", async () => {
    const { data } = await read({ success: true, data: aCompany() }, retrieve);

    const printed = inspect(data, { depth: 5, showHidden: true, getters: true });

    expect(data.configuration.webhook.url).toMatch(/^https:/);
    expect(printed).toContain("url: '[redacted]'");
    expect(printed).not.toContain(data.configuration.webhook.url);
  });

  test.each<[string, object, object, string[]]>([
    ["an unknown status", { status: "archived" }, { status: "archived" }, []],
    ["an id as a string", { id: "7" }, { id: 7 }, ["data.id is a string"]],
    ["no limits", { limits: null }, { limits: {} }, ["data.limits is null"]],
    ["a text as webhook", withWebhook("x"), configuredWith({}), ["data.configuration.webhook is a string"]],
    ["no settlement", { settlement: [] }, { settlement: { bank: {} } }, ["data.settlement is an array"]],
    [
      "a payment method as a string",
      { paymentMethods: { credit_card: "on", pix: true, boleto: false } },
      { paymentMethods: { pix: true, boleto: false } },
      ["data.paymentMethods.credit_card is a string"],
    ],
    [
      "events that are not strings",
      withWebhook({ url: "x", events: [7] }),
      configuredWith({ url: "x" }),
      ["data.configuration.webhook.events is an array"],
    ],
  ])("tolerates %s", async (_what, sent, received, expectedDrift) => {
    const body = { success: true, data: aCompany(sent as Record<string, unknown>) };

    const { data, drift } = await read(body, retrieve);

    expect(data).toMatchObject(received);
    expect(drift).toEqual(expectedDrift);
  });

  test.each([
    ["data is missing: the response has no envelope", aCompany()],
    ["success is missing", { data: aCompany() }],
    ["success is a string", { success: "true", data: aCompany() }],
  ])("is read, with a drift event: %s", async (expectedDrift, body) => {
    const { data, drift } = await read(body, retrieve);

    expect(data).toEqual(aCompany());
    expect(drift).toEqual([expectedDrift]);
  });

  const HUGE = "9007199254740993";

  test.each<[string, unknown, object]>([
    ["null", null, { field: "data", message: "is missing" }],
    ["an envelope without data", { success: true }, { field: "data.id", message: "is missing" }],
    ["no id", { data: aCompany({ id: undefined }) }, { field: "data.id", message: "is missing" }],
    ["an id beyond 2^53 - 1", { data: aCompany({ id: HUGE }) }, { field: "data.id", message: "is a string" }],
  ])("cannot be read from %s", async (_what, body, issue) => {
    expect(await issuesOfRead(body, retrieve)).toEqual([issue]);
  });
});

describe("the status", () => {
  const retrieve = ({ payments }: Merchant) => payments.status.retrieve();

  test.each<[string, object, object, string[]]>([
    ["an unknown status", { status: "maintenance" }, { status: "maintenance" }, []],
    ["an unknown environment", { environment: "staging" }, { environment: "staging" }, []],
    ["no services", { services: undefined }, { services: {} }, ["services is missing"]],
    ["no latency", { latency: "12ms" }, { latency: {} }, ["latency is a string"]],
    ["a version that is a number", { version: 1.4 }, { status: "online" }, ["version is a number"]],
  ])("tolerates %s", async (_what, sent, received, expectedDrift) => {
    const { data, drift } = await read(aStatus(sent as Record<string, unknown>), retrieve);

    expect(data).toMatchObject(received);
    expect(drift).toEqual(expectedDrift);
  });

  test.each([
    [null, "null"],
    [[], "an array"],
  ])("cannot be read from %j", async (body, type) => {
    expect(await issuesOfRead(body, retrieve)).toEqual([{ field: "", message: `the body is ${type}` }]);
  });
});
