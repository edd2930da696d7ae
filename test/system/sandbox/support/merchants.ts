import type { Sandbox } from "payments-sdk/sandbox/server";
import { aCard, aCardPayment, aPix, bodyOf, merchant } from "../../../sandbox/support/wire.ts";

/** Creates transactions through the API, like the backend of a merchant, and returns them. */
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
