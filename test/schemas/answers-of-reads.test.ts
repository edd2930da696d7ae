import type { PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { eventsOf, failureOf } from "../support/merchant.ts";
import { recordingClient } from "../support/recording-client.ts";
import { aCompany, aRevenue, aSeller, aStatus } from "../support/service-answers.ts";

async function readFrom<Data>(answer: unknown, read: (payments: PaymentsClient) => PromiseLike<Data>) {
  const { payments, events } = recordingClient(answer);
  const data = await read(payments);
  const drift = eventsOf(events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { data, drift };
}

const company = (data: unknown) => readFrom({ success: true, data }, (to) => to.company.retrieve());
const status = (body: unknown) => readFrom(body, (to) => to.status.retrieve());
const sellers = (body: unknown) => readFrom(body, (to) => to.sellers.list());
const revenue = (body: unknown) => readFrom(body, (to) => to.sellers.revenue());

describe("a company", () => {
  test.each<[string, unknown, object, string]>([
    ["name", null, {}, "data.name came as null"],
    ["status", 1, {}, "data.status came as a number"],
    ["document", null, { document: {} }, "data.document came as null"],
    ["paymentMethods", ["pix"], { paymentMethods: {} }, "data.paymentMethods came as an array"],
    ["limits", undefined, { limits: {} }, "data.limits came as nothing"],
    ["configuration", "none", { configuration: { webhook: {} } }, "data.configuration came as a string"],
    ["settlement", null, { settlement: { bank: {} } }, "data.settlement came as null"],
  ])("whose %s is %j is read without it", async (name, value, read, deviation) => {
    const { [name]: _, ...others } = aCompany();

    const { data, drift } = await company({ ...others, [name]: value });

    expect({ ...data }).toEqual({ ...others, ...read });
    expect(drift).toEqual([deviation]);
  });

  test.each<[string, object, string]>([
    [
      "a limit as text",
      { limits: { transactionMinAmount: "100", transactionMaxAmount: 5 } },
      "data.limits.transactionMinAmount came as a string",
    ],
    [
      "a decimal limit",
      { limits: { transactionMinAmount: 1.5, transactionMaxAmount: 5 } },
      "data.limits.transactionMinAmount came as a number",
    ],
    [
      "an event that is no text",
      { configuration: { ...(aCompany()["configuration"] as object), webhook: { url: "x", events: [7] } } },
      "data.configuration.webhook.events came as an array",
    ],
    [
      "no bank",
      { settlement: { schedule: "D+1", automaticTransfer: true } },
      "data.settlement.bank came as nothing",
    ],
  ])("with %s tells so by its path", async (_what, part, deviation) => {
    const { drift } = await company({ ...aCompany(), ...part });

    expect(drift).toEqual([deviation]);
  });

  test("keeps a value that the specification does not name", async () => {
    const { data, drift } = await company(aCompany({ status: "under_review" }));

    expect(data.status).toBe("under_review");
    expect(drift).toEqual([]);
  });

  test("is read without its envelope, too", async () => {
    const { data, drift } = await readFrom(aCompany(), (to) => to.company.retrieve());

    expect(data.id).toBe(7);
    expect(drift).toEqual(["data came without its envelope"]);
  });

  test.each<[unknown, string]>([
    [null, "data"],
    [[], "data"],
    [{ success: true, data: {} }, "data.id"],
    [{ success: true, data: { id: "seven" } }, "data.id"],
    [{ success: true, data: { id: "12345678901234567890" } }, "data.id"],
    [{ success: true }, "data.id"],
  ])("without an id is none: %j", async (answer, field) => {
    const { payments } = recordingClient(answer);

    const error = await failureOf(payments.company.retrieve());

    expect(error).toMatchObject({ code: "unexpected_response", issues: [{ field }] });
  });
});

describe("the service's health", () => {
  test.each<[string, unknown, object, string]>([
    ["services", null, { services: {} }, "services came as null"],
    ["latency", [1], { latency: {} }, "latency came as an array"],
    ["version", 2, {}, "version came as a number"],
  ])("whose %s is %j is read without it", async (name, value, read, deviation) => {
    const { [name]: _, ...others } = aStatus();

    const { data, drift } = await status({ ...others, [name]: value });

    expect({ ...data }).toEqual({ ...others, ...read });
    expect(drift).toEqual([deviation]);
  });

  test("may leave out every part of itself", async () => {
    const { data, drift } = await status({});

    expect({ ...data }).toEqual({ services: {}, latency: {} });
    expect(drift).toHaveLength(6);
  });

  test.each([[null], [[]], [7], ["online"]])("is none in %j", async (answer) => {
    const { payments } = recordingClient(answer);

    const error = await failureOf(payments.status.retrieve());

    expect(error).toMatchObject({ code: "unexpected_response", outcome: "not_applicable" });
  });
});

describe("a list of sellers", () => {
  test.each<[unknown, object, string[]]>([
    [aSeller({ id: 7 }), { id: "7" }, ["0.id came as a number"]],
    [aSeller({ document: null }), { id: "sel_1" }, ["0.document came as null"]],
    [aSeller({ status: "paused" }), { status: "paused" }, []],
  ])("reads %j", async (entry, read, deviations) => {
    const { data, drift } = await sellers([entry]);

    expect(data).toMatchObject([read]);
    expect(drift).toEqual(deviations);
  });

  test("may be empty", async () => {
    const { data } = await sellers([]);

    expect(data).toEqual([]);
  });

  test("may come in an envelope", async () => {
    const { data, drift } = await sellers({ success: true, data: [aSeller()] });

    expect(data).toHaveLength(1);
    expect(drift).toEqual(["data came in an envelope"]);
  });

  test.each<[unknown, string]>([
    [null, ""],
    [{}, ""],
    ["none", ""],
    [[aSeller(), null], "1.id"],
    [[aSeller(), { name: "Bia" }], "1.id"],
    [[aSeller({ id: "" })], "0.id"],
    [[[aSeller()]], "0.id"],
  ])("is none where an entry cannot be read: %j", async (answer, field) => {
    const { payments } = recordingClient(answer);

    const error = await failureOf(payments.sellers.list());

    expect(error).toMatchObject({ code: "unexpected_response", issues: [{ field }] });
  });
});

describe("a list of revenues", () => {
  test.each<[Record<string, unknown>, object, string[]]>([
    [{ revenue: null }, {}, ["0.revenue came as null"]],
    [{ revenue: { total: "1.5", month: 2 } }, { month: 2 }, ["0.revenue.total came as a string"]],
    [{ revenue: { total: 0, month: -1.5 } }, { total: 0, month: -1.5 }, []],
  ])("reads %j", async (part, read, deviations) => {
    const { data, drift } = await revenue([aRevenue(part)]);

    expect(data[0]?.revenue).toEqual(read);
    expect(drift).toEqual(deviations);
  });

  test("is none where an entry names no seller, because its sum would be wrong", async () => {
    const { payments } = recordingClient([aRevenue(), aRevenue({ seller_id: undefined })]);

    const error = await failureOf(payments.sellers.revenue());

    expect(error).toMatchObject({ code: "unexpected_response", issues: [{ field: "1.seller_id" }] });
  });
});
