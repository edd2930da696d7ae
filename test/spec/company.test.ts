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
  test("is asked for without parameters and without a body", async () => {
    const { arrived } = await companyFrom(COMPANY_DATA);

    expect(arrived).toHaveLength(1);
    expect(arrived[0]).toMatchObject({ method: "GET", target: "/api/v1/company", text: "" });
  });

  test("comes as { success, data } and is read field by field", async () => {
    const { company, drift } = await companyFrom(COMPANY_DATA);

    expect(JSON.parse(JSON.stringify(company))).toEqual(COMPANY_DATA);
    expect(drift).toEqual([]);
  });

  test("has its limits in cents", async () => {
    const { company } = await companyFrom(COMPANY_DATA);

    expect(company.limits).toEqual({ transactionMaxAmount: 5_000_000, transactionMinAmount: 500 });
  });

  test("has boleto as a flag among its payment methods, and no way to pay with it", async () => {
    const { company } = await companyFrom({
      ...COMPANY_DATA,
      paymentMethods: { credit_card: false, pix: true, boleto: true },
    });

    expect(company.paymentMethods).toEqual({ credit_card: false, pix: true, boleto: true });
  });

  test.each(["active", "pending", "suspended", "inactive"])("may be %s", async (status) => {
    const { company, drift } = await companyFrom({ ...COMPANY_DATA, status });

    expect(company.status).toBe(status);
    expect(drift).toEqual([]);
  });

  test.each(["cnpj", "cpf"])("may have a %s", async (type) => {
    const { company } = await companyFrom({ ...COMPANY_DATA, document: { type, number: "12345678909" } });

    expect(company.document).toEqual({ type, number: "12345678909" });
  });

  test.each(["D+1", "D+2", "D+30"])("may be settled at %s", async (schedule) => {
    const { company } = await companyFrom({
      ...COMPANY_DATA,
      settlement: { ...COMPANY_DATA.settlement, schedule },
    });

    expect(company.settlement.schedule).toBe(schedule);
  });

  test.each([
    "transaction.approved",
    "transaction.refused",
    "transaction.refunded",
    "transaction.chargedback",
    "transaction.canceled",
  ])("may be told of %s", async (event) => {
    const { company } = await companyFrom({
      ...COMPANY_DATA,
      configuration: {
        ...COMPANY_DATA.configuration,
        webhook: { url: "https://x.example", events: [event] },
      },
    });

    expect(company.configuration.webhook.events).toEqual([event]);
  });
});
