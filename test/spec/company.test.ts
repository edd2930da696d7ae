import { describe, expect, test } from "vitest";
import { COMPANY_DATA } from "./support/answers.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

const ENDPOINT = "GET /api/v1/company";

async function companyFrom(data: object) {
  const { arrived } = theServiceAnswers(ENDPOINT, 200, { success: true, data });
  const { payments, events } = aMerchant();
  const company = await payments.company.retrieve();
  return { company, arrived, drift: driftOf(events) };
}

describe("the company", () => {
  test("is asked for without parameters, comes as { success, data } and is read field by field", async () => {
    const { company, arrived, drift } = await companyFrom(COMPANY_DATA);

    expect(arrived).toMatchObject([{ method: "GET", target: "/api/v1/company", text: "" }]);
    expect(JSON.parse(JSON.stringify(company))).toEqual(COMPANY_DATA);
    expect(company.limits).toEqual({ transactionMaxAmount: 5_000_000, transactionMinAmount: 500 }); // cents
    expect(company.raw).toEqual({ success: true, data: COMPANY_DATA });
    expect(drift).toEqual([]);
  });

  test("has boleto as a flag among its payment methods, and no way to pay with it", async () => {
    const { company } = await companyFrom({
      ...COMPANY_DATA,
      paymentMethods: { credit_card: false, pix: true, boleto: true },
    });

    expect(company.paymentMethods).toEqual({ credit_card: false, pix: true, boleto: true });
  });

  test("may have a status, a settlement term and events that the specification does not name", async () => {
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
