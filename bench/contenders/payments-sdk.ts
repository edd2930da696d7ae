import { PaymentsClient } from "payments-sdk";
import type { Connect } from "../support/contender.ts";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";

/** As it comes. */
export const connect: Connect = (baseUrl) => {
  const payments = new PaymentsClient({ baseUrl, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY });
  return async (order) => (await payments.transactions.create(order)).id;
};
