import type { PaymentsClient, PaymentsClientOptions } from "payments-sdk";
import { expect } from "vitest";
import { startServer } from "./http-server.ts";
import { eventsOf, merchantAt } from "./merchant.ts";
import { created } from "./service-responses.ts";

/** The body and the warnings of a create call. */
export async function sentRequest(
  call: (payments: PaymentsClient) => PromiseLike<unknown>,
  options: PaymentsClientOptions = {},
) {
  const { baseUrl, arrivals } = await startServer(created());
  const { payments, events } = merchantAt(baseUrl, options);
  await call(payments);
  expect(arrivals).toHaveLength(1);
  const body: unknown = JSON.parse(arrivals[0]?.body ?? "null");
  const warnings = eventsOf(events, "warning").map(({ field, message }) => `${field} ${message}`);
  return { body, warnings };
}
