// The smoke test in a page. Tokens come over HTTP; the rest, which no page may do with real keys, is in process.
import { createGateway } from "payments-sdk/sandbox";
import { EVERYWHERE } from "./everywhere.ts";
import { runParts, type Service, type SmokeReport } from "./setting.ts";
import { WITHOUT_NODE } from "./without-node.ts";

async function smoke(service: Service): Promise<SmokeReport> {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey } = gateway;
  return runParts(
    { ...EVERYWHERE, ...WITHOUT_NODE },
    {
      service,
      client: {
        ...{ baseUrl, secretKey, publicKey },
        fetch: gateway.fetch,
        dangerouslyAllowBrowser: true, // its keys open nothing but itself
      },
    },
  );
}

Object.assign(globalThis, { smoke });
