import { request } from "undici";
import type { Connect } from "../support/contender.ts";
import { AUTHORIZATION } from "../support/keys.ts";

/** What Node's fetch is made of, without what fetch adds to it. */
export const connect: Connect = (baseUrl) => {
  const url = `${baseUrl}/api/v1/transactions`;
  const headers = { "content-type": "application/json", authorization: AUTHORIZATION };
  return async (order) => {
    const { body } = await request(url, { method: "POST", headers, body: JSON.stringify(order) });
    const answer = JSON.parse(await body.text());
    return answer.data.id;
  };
};
