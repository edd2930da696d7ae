import ky from "ky";
import type { Connect } from "../support/contender.ts";
import { AUTHORIZATION } from "../support/keys.ts";
import type { Answer } from "../support/orders.ts";

/** As it comes, with its retries of reads, for which it keeps a copy of each request. */
export const connect: Connect = (baseUrl) => {
  const url = `${baseUrl}/api/v1/transactions`;
  const headers = { authorization: AUTHORIZATION };
  return async (order) => (await ky.post(url, { json: order, headers }).json<Answer>()).data.id;
};
