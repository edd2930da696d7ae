import { expect, test } from "vitest";
import { STATUS_BODY } from "./support/responses.ts";
import { createMerchant, driftOf, serviceResponds } from "./support/service.ts";

async function statusFrom(body: object) {
  const { received } = serviceResponds("GET /api/v1/status", 200, body);
  const { payments, events } = createMerchant();
  const status = await payments.status.retrieve();
  return { status, received, drift: driftOf(events) };
}

test("the service's status is requested without parameters, and every field is read without an envelope", async () => {
  const { status, received, drift } = await statusFrom(STATUS_BODY);

  expect(received).toMatchObject([{ method: "GET", target: "/api/v1/status", text: "" }]);
  expect(JSON.parse(JSON.stringify(status))).toEqual(STATUS_BODY);
  expect(status.raw).toEqual(STATUS_BODY);
  expect(drift).toEqual([]);
});
