import { describe, expect, test } from "vitest";
import { COMPANY_DATA } from "./support/responses.ts";
import { createMerchant, driftOf, serviceResponds } from "./support/service.ts";

const ENDPOINT = "GET /api/v1/company";

async function companyFrom(data: object) {
  const { received } = serviceResponds(ENDPOINT, 200, { success: true, data });
  const { payments, events } = createMerchant();
  const company = await payments.company.retrieve();
  return { company, received, drift: driftOf(events) };
}

describe("the company", () => {
  test("is requested without parameters, and every field of { success, data } is read", async () => {
    const { company, received, drift } = await companyFrom(COMPANY_DATA);

    expect(received).toMatchObject([{ method: "GET", target: "/api/v1/company", text: "" }]);
    expect(JSON.parse(JSON.stringify(company))).toEqual(COMPANY_DATA);
    expect(company.limits).toEqual({ transactionMaxAmount: 5_000_000, transactionMinAmount: 500 }); // cents
    expect(company.raw).toEqual({ success: true, data: COMPANY_DATA });
    expect(drift).toEqual([]);
  });

  test("may have a status, a settlement schedule and events that the specification does not list", async () => {
    const webhook = { url: "https://x.example", events: ["transaction.canceled", "transaction.new"] };
    const company = {
      ...COMPANY_DATA,
      status: "archived",
      configuration: { ...COMPANY_DATA.configuration, webhook },
      settlement: { ...COMPANY_DATA.settlement, schedule: "D+30" },
    };

    const { company: read, drift } = await companyFrom(company);

    expect(JSON.parse(JSON.stringify(read))).toEqual(company);
    expect(drift).toEqual([]);
  });
});
