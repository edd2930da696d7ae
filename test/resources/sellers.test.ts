import { describe, expect, test } from "vitest";
import type { Merchant } from "../support/merchant.ts";
import { aRevenue, aSeller, envelope } from "../support/service-responses.ts";
import { issuesOfRead, read } from "../support/start-merchant.ts";

describe("the sellers", () => {
  const list = ({ payments }: Merchant) => payments.sellers.list();

  const WITHOUT_DOCUMENT = { id: "sel_1", name: "Bia", status: "active" };

  test.each<[string, unknown, unknown[], string[]]>([
    ["an empty list", [], [], []],
    ["an id that is a number", [aSeller({ id: 5 })], [aSeller({ id: "5" })], ["0.id is a number"]],
    ["a document that is null", [aSeller({ document: null })], [WITHOUT_DOCUMENT], ["0.document is null"]],
    ["an envelope", envelope([aSeller()]), [aSeller()], ["data is an envelope around the array"]],
  ])("tolerate %s", async (_what, body, received, expectedDrift) => {
    const { data, drift } = await read(body, list);

    expect(data).toEqual(received);
    expect(drift).toEqual(expectedDrift);
  });

  test.each<[string, unknown, object[]]>([
    ["an object", {}, [{ field: "", message: "the body is an object, not an array" }]],
    ["null", null, [{ field: "", message: "the body is null, not an array" }]],
    [
      "entries without id",
      [aSeller(), aSeller({ id: "" }), 7],
      [
        { field: "1.id", message: "is an empty string" },
        { field: "2.id", message: "is missing" },
      ],
    ],
  ])("cannot be read from %s: without an entry, the list would be wrong", async (_what, body, issues) => {
    expect(await issuesOfRead(body, list)).toEqual(issues);
  });
});

describe("their revenue", () => {
  const revenue = ({ payments }: Merchant) => payments.sellers.revenue();

  const TOTAL_DRIFT = ["0.revenue.total is a string"];

  test.each<[string, object, object, string[]]>([
    ["no revenue", { revenue: null }, { revenue: {} }, ["0.revenue is null"]],
    ["a total as text", { revenue: { total: "1", month: 2 } }, { revenue: { month: 2 } }, TOTAL_DRIFT],
    ["no name", { seller_name: undefined }, { seller_id: "sel_1" }, ["0.seller_name is missing"]],
  ])("tolerates %s", async (_what, sent, received, expectedDrift) => {
    const { data, drift } = await read([aRevenue(sent as Record<string, unknown>)], revenue);

    expect(data).toMatchObject([received]);
    expect(drift).toEqual(expectedDrift);
  });

  test("cannot be read without its seller", async () => {
    const issues = await issuesOfRead([aRevenue({ seller_id: null })], revenue);

    expect(issues).toEqual([{ field: "0.seller_id", message: "is null" }]);
  });
});
