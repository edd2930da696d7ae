// The smoke test in a Worker, which gets all that it needs from its bindings.
import { atMostOnce } from "./at-most-once.ts";
import { EVERYWHERE } from "./everywhere.ts";
import { type Part, REPORT_MARK, runParts, type Service } from "./setting.ts";
import { WITHOUT_NODE } from "./without-node.ts";

const once: Part = (setting) => atMostOnce(setting, "fetch");

export default {
  async test(_controller: unknown, env: { readonly SERVICE: string }): Promise<void> {
    const service = JSON.parse(env.SERVICE) as Service;
    const { baseUrl, secretKey, publicKey } = service;
    const parts = { ...EVERYWHERE, ...WITHOUT_NODE, "at most once": once };
    const report = await runParts(parts, { service, client: { baseUrl, secretKey, publicKey } });
    console.log(REPORT_MARK + JSON.stringify(report));
  },
};
