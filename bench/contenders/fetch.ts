import type { Connect } from "../support/contender.ts";
import { AUTHORIZATION } from "../support/keys.ts";

/** The baseline: what a call costs with what Node brings along. */
export const connect: Connect = (baseUrl) => {
  const url = `${baseUrl}/api/v1/transactions`;
  const headers = { "content-type": "application/json", authorization: AUTHORIZATION };
  return async (order) => {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(order) });
    const answer = JSON.parse(await response.text());
    return answer.data.id;
  };
};
