import type { PaymentsClient, PaymentsClientOptions } from "payments-sdk";
import { expect } from "vitest";
import { eventsOf } from "./merchant.ts";
import { created } from "./service-responses.ts";
import { startMerchant } from "./start-merchant.ts";

/** The body and the warnings of a create call. */
export async function sentRequest(
  call: (payments: PaymentsClient) => PromiseLike<unknown>,
  options: PaymentsClientOptions = {},
) {
  const { payments, events, arrivals } = await startMerchant(created(), options);
  await call(payments);
  expect(arrivals).toHaveLength(1);
  const body: unknown = JSON.parse(arrivals[0]?.body ?? "null");
  const warnings = eventsOf(events, "warning").map(({ field, message }) => `${field} ${message}`);
  return { body, warnings };
}
