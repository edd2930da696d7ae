import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { Merchant } from "../support/merchant.ts";
import { issuesOfRead, read } from "../support/read-responses.ts";
import { aCompany, aStatus } from "../support/service-responses.ts";

describe("the company", () => {
  const retrieve = ({ payments }: Merchant) => payments.company.retrieve();

  test("is printed without the URL of its webhook, which may carry a secret", async () => {
    const { data } = await read({ success: true, data: aCompany() }, retrieve);

    const printed = inspect(data, { depth: 5, showHidden: true, getters: true });

    expect(data.configuration.webhook.url).toMatch(/^https:/);
    expect(printed).toContain("url: '[redacted]'");
    expect(printed).not.toContain(data.configuration.webhook.url);
  });

  test.each<[string, object, object, string[]]>([
    ["a status that is new", { status: "archived" }, { status: "archived" }, []],
    ["an id as text", { id: "7" }, { id: 7 }, ["data.id came as a string"]],
    [
      "a limit as text",
      { limits: { transactionMaxAmount: "500", transactionMinAmount: 1 } },
      { limits: { transactionMaxAmount: 500, transactionMinAmount: 1 } },
      ["data.limits.transactionMaxAmount came as a string"],
    ],
    ["no limits", { limits: null }, { limits: {} }, ["data.limits came as null"]],
    [
      "a webhook that is text",
      { configuration: { ...(aCompany()["configuration"] as object), webhook: "https://x" } },
      { configuration: { autoCapture: true, webhook: {} } },
      ["data.configuration.webhook came as a string"],
    ],
    ["no settlement", { settlement: [] }, { settlement: { bank: {} } }, ["data.settlement came as an array"]],
    [
      "a method that is text",
      { paymentMethods: { credit_card: "on", pix: true, boleto: false } },
      { paymentMethods: { pix: true, boleto: false } },
      ["data.paymentMethods.credit_card came as a string"],
    ],
    ["a name that is null", { name: null }, { tradingName: "Loja Exemplo" }, ["data.name came as null"]],
    [
      "events that are no text",
      { configuration: { ...(aCompany()["configuration"] as object), webhook: { url: "x", events: [7] } } },
      { configuration: { webhook: { url: "x" } } },
      ["data.configuration.webhook.events came as an array"],
    ],
    [
      "no bank",
      { settlement: { schedule: "D+1", automaticTransfer: true } },
      { settlement: { schedule: "D+1", bank: {} } },
      ["data.settlement.bank came as nothing"],
    ],
  ])("tolerates %s", async (_what, sent, received, told) => {
    const { data, drift } = await read(
      { success: true, data: aCompany(sent as Record<string, unknown>) },
      retrieve,
    );

    expect(data).toMatchObject(received);
    expect(drift).toEqual(told);
  });

  test("without its envelope is a drift", async () => {
    const { data, drift } = await read(aCompany(), retrieve);

    expect(data).toEqual(aCompany());
    expect(drift).toEqual(["data came without its envelope"]);
  });

  test.each<[string, unknown, object]>([
    ["nothing", null, { field: "data", message: "is missing" }],
    ["an envelope without data", { success: true }, { field: "data.id", message: "came as nothing" }],
    ["no id", { data: aCompany({ id: undefined }) }, { field: "data.id", message: "came as nothing" }],
    [
      "an id beyond 2^53 - 1",
      { data: aCompany({ id: "9007199254740993" }) },
      { field: "data.id", message: "came as a string" },
    ],
  ])("cannot be read from %s", async (_what, body, issue) => {
    expect(await issuesOfRead(body, retrieve)).toEqual([issue]);
  });
});

describe("the status", () => {
  const retrieve = ({ payments }: Merchant) => payments.status.retrieve();

  test.each<[string, object, object, string[]]>([
    [
      "new values",
      { status: "maintenance", environment: "staging" },
      { status: "maintenance", environment: "staging" },
      [],
    ],
    ["no services", { services: undefined }, { services: {} }, ["services came as nothing"]],
    ["no latency", { latency: "12ms" }, { latency: {} }, ["latency came as a string"]],
    [
      "a latency as text",
      { latency: { gateway: "12", database: 1, tokenizer: 1, notifications: 1 } },
      { latency: { gateway: 12 } },
      ["latency.gateway came as a string"],
    ],
    [
      "a service that is missing",
      { services: { gateway: "online", database: "online", tokenizer: "online" } },
      { services: { gateway: "online" } },
      ["services.notifications came as nothing"],
    ],
    ["a version that is a number", { version: 1.4 }, { status: "online" }, ["version came as a number"]],
  ])("tolerates %s", async (_what, sent, received, told) => {
    const { data, drift } = await read(aStatus(sent as Record<string, unknown>), retrieve);

    expect(data).toMatchObject(received);
    expect(drift).toEqual(told);
  });

  test.each([
    [null, "null"],
    [[], "an array"],
  ])("cannot be read from %j", async (body, came) => {
    expect(await issuesOfRead(body, retrieve)).toEqual([{ field: "", message: `the body came as ${came}` }]);
  });
});
