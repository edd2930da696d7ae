import ky from "ky";
import type { Connect } from "../support/contender.ts";
import { AUTHORIZATION } from "../support/keys.ts";
import type { Answer } from "../support/orders.ts";

/** Told that nothing is sent again. */
export const connect: Connect = (baseUrl) => {
  const url = `${baseUrl}/api/v1/transactions`;
  const headers = { authorization: AUTHORIZATION };
  return async (order) => (await ky.post(url, { json: order, headers, retry: 0 }).json<Answer>()).data.id;
};
