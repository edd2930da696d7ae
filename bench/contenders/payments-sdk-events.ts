import { PaymentsClient } from "payments-sdk";
import type { Connect } from "../support/contender.ts";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";

/** With a listener that counts the events, so that they are made. */
export const connect: Connect = (baseUrl) => {
  let events = 0;
  const onEvent = () => {
    events += 1;
  };
  const payments = new PaymentsClient({ baseUrl, publicKey: PUBLIC_KEY, secretKey: SECRET_KEY, onEvent });
  return async (order) => {
    const before = events;
    const { id } = await payments.transactions.create(order);
    if (events === before) throw new Error("A call gave no event.");
    return id;
  };
};
