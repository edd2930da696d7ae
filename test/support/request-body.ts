import type { PaymentsClient, PaymentsClientOptions } from "payments-sdk";
import { expect } from "vitest";
import { startServer } from "./http-server.ts";
import { eventsOf, failureOf, merchantAt } from "./merchant.ts";
import { created } from "./service-responses.ts";

/** The body that a create call sends, and its warnings. */
export async function bodyOf(
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

/** The issues of a create call that must not be sent. */
export async function issuesOf(call: (payments: PaymentsClient) => PromiseLike<unknown>) {
  const { baseUrl, arrivals } = await startServer(created());
  const error = await failureOf(call(merchantAt(baseUrl).payments));
  expect(error).toMatchObject({
    code: "invalid_request",
    outcome: "not_sent",
    endpoint: "transactions.create",
  });
  expect(arrivals).toHaveLength(0);
  return (error as unknown as { issues: { field: string; message: string }[] }).issues;
}
