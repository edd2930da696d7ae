import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createGateway } from "payments-sdk/sandbox";
import { onTestFinished } from "vitest";
import { listen } from "../../support/http-server.ts";

/** A service over HTTP whose responses to create calls a test can change. */
export async function startAlteredService() {
  const gateway = createGateway();
  onTestFinished(() => gateway.close());
  const service = {
    /** Create calls so far. */
    created: 0,
    /** What responds instead of the service, if anything. */
    before: async (_body: string): Promise<[status: number, body: string] | undefined> => undefined,
    after: async (body: string): Promise<string> => body,
  };
  const baseUrl = await listen(
    createServer(async (incoming, response) => {
      const { url = "", method = "" } = incoming;
      const body = await text(incoming);
      const isCreate = method === "POST" && url.endsWith("/transactions");
      if (isCreate) service.created += 1;
      response.setHeader("content-type", "application/json");
      response.setHeader("access-control-allow-origin", "*");
      const [status, altered] = (isCreate && (await service.before(body))) || [];
      if (status) return response.writeHead(status).end(altered);
      const init = { method, headers: incoming.headers as HeadersInit, ...(body && { body }) };
      try {
        const answer = await gateway.fetch(gateway.baseUrl + url, init);
        const answered = await answer.text();
        return response.writeHead(answer.status).end(isCreate ? await service.after(answered) : answered);
      } catch {
        return response.destroy(); // a fault
      }
    }),
  );
  const { secretKey, publicKey } = gateway;
  return { gateway, service, keys: { baseUrl, secretKey, publicKey } };
}
