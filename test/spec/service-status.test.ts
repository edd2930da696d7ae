import { describe, expect, test } from "vitest";
import { STATUS_BODY } from "./support/answers.ts";
import { aMerchant, driftOf, theServiceAnswers } from "./support/the-service.ts";

async function statusFrom(body: object) {
  const { arrived } = theServiceAnswers("GET /api/v1/status", 200, body);
  const { payments, events } = aMerchant();
  const status = await payments.status.retrieve();
  return { status, arrived, drift: driftOf(events) };
}

describe("the service's health", () => {
  test("is asked for without parameters, comes without an envelope and is read field by field", async () => {
    const { status, arrived, drift } = await statusFrom(STATUS_BODY);

    expect(arrived).toMatchObject([{ method: "GET", target: "/api/v1/status", text: "" }]);
    expect(JSON.parse(JSON.stringify(status))).toEqual(STATUS_BODY);
    expect(status.raw).toEqual(STATUS_BODY);
    expect(drift).toEqual([]);
  });

  test.each(["production", "sandbox"] as const)("tells the environment %s", async (environment) => {
    theServiceAnswers("GET /api/v1/status", 200, { ...STATUS_BODY, environment });
    const { payments } = aMerchant();

    await expect(payments.status.assertEnvironment(environment)).resolves.toBeUndefined();
  });

  test("tells that it is not the environment that was insisted on", async () => {
    theServiceAnswers("GET /api/v1/status", 200, { ...STATUS_BODY, environment: "production" });
    const { payments } = aMerchant();

    const assertion = payments.status.assertEnvironment("sandbox");

    await expect(assertion).rejects.toMatchObject({
      code: "environment_mismatch",
      expected: "sandbox",
      actual: "production",
    });
  });
});
