import { Agent, type IncomingMessage, request } from "node:http";
import type { Connect } from "../support/contender.ts";
import { AUTHORIZATION } from "../support/keys.ts";

/** The floor: no deadline, no limit to an answer, nothing that tells one failure from another. */
export const connect: Connect = (baseUrl) => {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  const headers = { "content-type": "application/json", authorization: AUTHORIZATION };
  const options = { hostname, port, path: "/api/v1/transactions", method: "POST", agent, headers };
  return async (order) => {
    const body = JSON.stringify(order);
    const answer = JSON.parse(
      await send({ ...options, headers: { ...headers, "content-length": Buffer.byteLength(body) } }, body),
    );
    return answer.data.id;
  };
};

function send(options: object, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    };
    request(options, read).on("error", reject).end(body);
  });
}
