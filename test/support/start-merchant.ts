import type { PaymentsClientOptions } from "payments-sdk";
import { type HttpServer, type Reply, startServer } from "./http-server.ts";
import { type Merchant, merchantAt } from "./merchant.ts";

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
