import type { Sandbox, SandboxOptions } from "payments-sdk/sandbox/server";
import { start } from "./running.ts";
import { merchantOf, NOON } from "./wire.ts";

export interface ControlResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  readonly body: any;
}

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ControlResponse>;

/** Calls the control API of a sandbox like `curl`. A string is sent unchanged. */
export function controlOf({ baseUrl }: Pick<Sandbox, "baseUrl">): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}/sandbox/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
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
