import { type Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/** Posts a body by the cheapest of clients, and reads the answer. */
export function post(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = (answer: IncomingMessage) => text(answer).then(resolve, reject);
    request(url, { method: "POST", agent, headers }, read).on("error", reject).end(body);
  });
}
