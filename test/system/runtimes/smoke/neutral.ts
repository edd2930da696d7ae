// The smoke test without Node: in a Worker, an edge runtime or a page.
import { ConfigurationError } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { atMostOnce } from "./at-most-once.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { type Addresses, equal, type Part, runParts, type Setting } from "./setting.ts";

/** What needs Node reports it, and does no harm until it is used. */
const noSqlite: Part = async () => {
  try {
    sqliteStore("payments.db");
  } catch (error) {
    equal(error instanceof ConfigurationError, true, `a ConfigurationError: ${error}`);
    return;
  }
  throw new Error("there is a store that cannot work");
};

/** A page gets tokens over HTTP. The rest, which no page may do with real keys, is in process. */
function settingOf(service: Addresses): Setting & { parts: Record<string, Part> } {
  const parts = { ...EVERYWHERE, "no sqliteStore": noSqlite };
  if ("document" in globalThis) {
    const { baseUrl, secretKey, publicKey, fetch } = createGateway();
    return {
      parts,
      service,
      client: { baseUrl, secretKey, publicKey, fetch, dangerouslyAllowBrowser: true },
    };
  }
  const { baseUrl, secretKey, publicKey } = service;
  const once: Part = (setting) => atMostOnce(setting, "fetch");
  return { parts: { ...parts, "at most once": once }, service, client: { baseUrl, secretKey, publicKey } };
}

export async function smoke(service: Addresses): Promise<string> {
  const { parts, ...setting } = settingOf(service);
  return JSON.stringify(await runParts(parts, setting));
}

Object.assign(globalThis, { smoke });
