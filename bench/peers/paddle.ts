import { type Environment, Paddle } from "@paddle/paddle-node-sdk";
import type { Connect } from "../support/contender.ts";
import { SECRET_KEY } from "../support/keys.ts";

type Body = Parameters<Paddle["transactions"]["create"]>[0];

/** Its own create of a transaction; it renames the fields of the request and makes objects of classes of the answer. */
export const connect: Connect = (baseUrl) => {
  const environment = baseUrl as Environment; // an address is taken as it is
  const paddle = new Paddle(SECRET_KEY, { environment });
  return async (order) => (await paddle.transactions.create(order as unknown as Body)).id;
};
