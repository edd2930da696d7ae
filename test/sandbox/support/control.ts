import type { Sandbox, SandboxOptions } from "payments-sdk/sandbox/server";
import { start } from "./running.ts";
import { merchantOf, NOON } from "./wire.ts";

/** Calls the control API of a sandbox like `curl`. A string is sent unchanged. */
export function controlOf({ baseUrl }: Pick<Sandbox, "baseUrl">) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/sandbox/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers: received } = response;
    return { status, headers: received, body: text === "" ? undefined : JSON.parse(text) };
  };
}

/** A sandbox at a fixed time that sends no postbacks, with the calls of a merchant and of the control API. */
export async function openSandbox(options: SandboxOptions = {}) {
  const postbacks = { fetch: async () => new Response("thanks") };
  const sandbox = await start({ now: NOON, seed: 7, postbacks, ...options });
  const { create, token, pix, card } = merchantOf(sandbox.gateway);
  const aPixId = async (overrides: object = {}): Promise<number> => (await pix(overrides)).id;
  const aCardId = async (): Promise<number> => (await card()).id;
  return { ...sandbox, create, token, aPixId, aCardId, control: controlOf(sandbox) };
}
