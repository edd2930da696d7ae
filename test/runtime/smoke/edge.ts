// The smoke test in an edge runtime, as a function that whoever holds the runtime calls.
import { atMostOnce } from "./at-most-once.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { type Part, runParts, type Service } from "./setting.ts";
import { WITHOUT_NODE } from "./without-node.ts";

const once: Part = (setting) => atMostOnce(setting, "fetch");

async function smoke(service: Service): Promise<string> {
  const { baseUrl, secretKey, publicKey } = service;
  const parts = { ...EVERYWHERE, ...WITHOUT_NODE, "at most once": once };
  return JSON.stringify(await runParts(parts, { service, client: { baseUrl, secretKey, publicKey } }));
}

Object.assign(globalThis, { smoke });
