import type { Sandbox } from "payments-sdk/sandbox/server";
import { merchant } from "../../../sandbox/support/wire.ts";

/** Creates transactions through the API, like the backend of a merchant, and returns them. */
export function merchantOf(sandbox: Sandbox) {
  const { pix, card } = merchant(sandbox, fetch);
  const postbackUrl = `${sandbox.baseUrl}/sandbox/inbox`;
  return {
    pix: (overrides: object = {}) => pix({ postbackUrl, ...overrides }),
    card: (number?: string, overrides: object = {}) => card(number, { postbackUrl, ...overrides }),
  };
}
