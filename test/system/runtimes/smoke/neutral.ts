// The smoke test without Node: in a Worker, an edge runtime or a page.
import { ConfigurationError } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { atMostOnce } from "./at-most-once.ts";
import { type Addresses, type Environment, equal, type Part, runParts } from "./environment.ts";
import { EVERYWHERE } from "./everywhere.ts";

/** Where there is no SQLite, the entry can be imported, and the error names another store. */
const noSqlite: Part = async () => {
  try {
    sqliteStore("payments.db");
  } catch (error) {
    const isClear = error instanceof ConfigurationError && error.message.includes("postgresStore");
    equal(isClear, true, `a ConfigurationError that names another store: ${error}`);
    return;
  }
  throw new Error("sqliteStore did not throw");
};

/** A page creates tokens over HTTP. Everything else needs real keys, so a page does it in process. */
function createEnvironment(service: Addresses): Environment & { parts: Record<string, Part> } {
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
  const once: Part = (environment) => atMostOnce(environment, "fetch");
  return { parts: { ...parts, "at most once": once }, service, client: { baseUrl, secretKey, publicKey } };
}

export async function smoke(service: Addresses): Promise<string> {
  const { parts, ...environment } = createEnvironment(service);
  return JSON.stringify(await runParts(parts, environment));
}

Object.assign(globalThis, { smoke });
