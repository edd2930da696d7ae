import { expect } from "vitest";
import { json } from "./http-server.ts";
import { eventsOf, failureOf, type Merchant } from "./merchant.ts";
import { startMerchant } from "./start-merchant.ts";

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
