import { expect } from "vitest";
import { json, startServer } from "./http-server.ts";
import { eventsOf, failureOf, type Merchant, merchantAt } from "./merchant.ts";

/** The result of a read call with this body, with field and message of each drift event. */
export async function read<Data>(body: unknown, call: (merchant: Merchant) => PromiseLike<Data>) {
  const { baseUrl } = await startServer(json(200, body));
  const merchant = merchantAt(baseUrl);
  const data = await call(merchant);
  const drift = eventsOf(merchant.events, "drift").map(({ field, message }) => `${field} ${message}`);
  return { data, drift };
}

/** The issues of a body that a read call cannot use. */
export async function issuesOfRead(body: unknown, call: (merchant: Merchant) => PromiseLike<unknown>) {
  const { baseUrl } = await startServer(json(200, body));
  const error = await failureOf(call(merchantAt(baseUrl)));
  expect(error).toMatchObject({ code: "unexpected_response", outcome: "not_applicable", actor: "service" });
  return (error as unknown as { issues: { field: string; message: string }[] }).issues;
}
