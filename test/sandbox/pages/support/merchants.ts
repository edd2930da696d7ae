import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";
import { aCard, aCardPayment, aPix, bodyOf, merchant } from "../../support/wire.ts";

export async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Creates by the API, as a merchant's backend does; gives the transaction of the answer. */
export function merchantOf(sandbox: Sandbox) {
  const { create, token } = merchant(sandbox, fetch);
  const postbackUrl = `${sandbox.baseUrl}/sandbox/inbox`;
  return {
    async pix(overrides: object = {}) {
      return (await bodyOf(await create(aPix({ postbackUrl, ...overrides })))).data;
    },
    async card(number = "4111111111111111", overrides: object = {}) {
      const hash = await token(aCard({ number }));
      return (await bodyOf(await create(aCardPayment(hash, { postbackUrl, ...overrides })))).data;
    },
  };
}

/** A receiver of postbacks that says one thing. */
export async function aReceiver(status: number, answer: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/postbacks`;
}
