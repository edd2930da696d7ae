import type { Program } from "../rounds/whole-process.ts";
import { AUTHORIZATION, PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { ANSWER_ID, anOrder } from "../support/orders.ts";

export const BASELINE = "fetch";
export const OURS = "payments-sdk";
export const OURS_ON_NODE = "payments-sdk over nodeTransport";

/**
 * Programs that import something, create one payment and end. Plain JavaScript in `--eval`, because to load a file of
 * TypeScript costs more than some of them do.
 */
export function programsAt(baseUrl: string): readonly Program[] {
  const { host, hostname, port } = new URL(baseUrl);
  const order = JSON.stringify(anOrder("card", 1));
  const url = JSON.stringify(`${baseUrl}/api/v1/transactions`);
  const keys = `publicKey: "${PUBLIC_KEY}", secretKey: "${SECRET_KEY}"`;
  const program = (name: string, among: Program["among"], code: string, needs?: string): Program => ({
    name,
    among,
    args: [
      "--input-type=module",
      "--eval",
      `${code}\nif (Number(id) !== ${ANSWER_ID}) throw new Error("no id");`,
    ],
    ...(needs !== undefined && { needs }),
  });
  return [
    program(
      BASELINE,
      "ours",
      `const headers = { "content-type": "application/json", authorization: "${AUTHORIZATION}" };
      const response = await fetch(${url}, { method: "POST", headers, body: JSON.stringify(${order}) });
      const { id } = JSON.parse(await response.text()).data;`,
    ),
    program(
      OURS,
      "ours",
      `import { PaymentsClient } from "payments-sdk";
      const payments = new PaymentsClient({ baseUrl: "${baseUrl}", ${keys} });
      const { id } = await payments.transactions.create(${order});`,
      "payments-sdk",
    ),
    program(
      OURS_ON_NODE,
      "ours",
      `import { PaymentsClient } from "payments-sdk";
      import { nodeTransport } from "payments-sdk/node";
      const payments = new PaymentsClient({ baseUrl: "${baseUrl}", ${keys}, fetch: nodeTransport() });
      const { id } = await payments.transactions.create(${order});`,
      "payments-sdk/node",
    ),
    program(
      "ky, retry: 0",
      "ours",
      `import ky from "ky";
      const headers = { authorization: "${AUTHORIZATION}" };
      const { id } = (await ky.post(${url}, { json: ${order}, headers, retry: 0 }).json()).data;`,
      "ky",
    ),
    program(
      "stripe",
      "peers",
      `import Stripe from "stripe";
      const at = { protocol: "http", host: "${hostname}", port: ${port}, maxNetworkRetries: 0, telemetry: false };
      const { id } = (await new Stripe("${SECRET_KEY}", at).paymentIntents.create(${order})).data;`,
      "stripe",
    ),
    program(
      "mercadopago",
      "peers",
      `import { MercadoPagoConfig, Payment } from "mercadopago";
      import { AppConfig } from "mercadopago/dist/utils/config/index.js";
      AppConfig.BASE_URL = "${baseUrl}"; // it has no option for this
      const config = new MercadoPagoConfig({ accessToken: "${SECRET_KEY}", options: { maxRetries: 0 } });
      const { id } = (await new Payment(config).create({ body: ${order} })).data;`,
      "mercadopago",
    ),
    program(
      "openai",
      "peers",
      `import OpenAI from "openai";
      const openai = new OpenAI({ apiKey: "${SECRET_KEY}", baseURL: "http://${host}/v1", maxRetries: 0 });
      const { id } = (await openai.post("/transactions", { body: ${order} })).data;`,
      "openai",
    ),
    program(
      "anthropic",
      "peers",
      `import Anthropic from "@anthropic-ai/sdk";
      const anthropic = new Anthropic({ apiKey: "${SECRET_KEY}", baseURL: "http://${host}", maxRetries: 0 });
      const { id } = (await anthropic.post("/transactions", { body: ${order} })).data;`,
      "@anthropic-ai/sdk",
    ),
  ];
}
