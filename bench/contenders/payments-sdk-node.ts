import { PaymentsClient } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import type { Connect } from "../support/contender.ts";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";

/** Over our own transport for Node. */
export const connect: Connect = (baseUrl) => {
  const fetch = nodeTransport();
  const payments = new PaymentsClient({ baseUrl, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY, fetch });
  return async (order) => (await payments.transactions.create(order)).id;
};
