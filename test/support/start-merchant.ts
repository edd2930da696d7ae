import type { PaymentsClient, PaymentsClientOptions } from "payments-sdk";
import { expect } from "vitest";
import { type HttpServer, json, type Reply, startServer } from "./http-server.ts";
import { eventsOf, failureOf, type Merchant, merchantAt } from "./merchant.ts";
import { created } from "./service-responses.ts";

/** A merchant, and the server that it calls. */
export interface ServedMerchant extends Merchant, HttpServer {}

/** @param replies - One, or several as in {@link startServer}. */
export async function startMerchant(
  replies: Reply | readonly Reply[],
  options: PaymentsClientOptions = {},
  at = merchantAt,
): Promise<ServedMerchant> {
  const server = await startServer(...[replies].flat());
  return { ...server, ...at(server.baseUrl, options) };
}

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

/** The result of a read call with this body, with field and message of each drift event. */
export async function read<Data>(body: unknown, call: (merchant: Merchant) => PromiseLike<Data>) {
  const merchant = await startMerchant(json(200, body));
  const data = await call(merchant);
  const drift = eventsOf(merchant.events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { data, drift };
}

/** The issues of a body that a read call cannot use. */
export async function issuesOfRead(body: unknown, call: (merchant: Merchant) => PromiseLike<unknown>) {
  const error = await failureOf(call(await startMerchant(json(200, body))));
  expect(error).toMatchObject({ code: "unexpected_response", outcome: "not_applicable", actor: "service" });
  return (error as unknown as { issues: { field: string; message: string }[] }).issues;
}
