// Sends requests over nodeTransport with OpenTelemetry's instrumentation of node:http, and prints the spans.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { CVV, HOLDER, NUMBER, PUBLIC, SECRET } from "../../support/canaries.ts";

const exporter = new InMemorySpanExporter();
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const overHttp = new HttpInstrumentation({
  ...JSON.parse(process.argv[2] ?? "{}"),
  ignoreIncomingRequestHook: ({ url = "" }) => !/^\/(postbacks|status)\?/.test(url), // requests to the sandbox
});
registerInstrumentations({ tracerProvider, instrumentations: [overHttp] });
// Only modules loaded from here on are instrumented.
const { nodeTransport } = await import("payments-sdk/node");
const { createServer } = process.getBuiltinModule("node:http");

const sandbox = await startSandbox({ secretKey: SECRET, publicKey: PUBLIC });
const { baseUrl, secretKey, publicKey } = sandbox;
const transport = nodeTransport();
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch: transport });
const customer = {
  ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
  document: { type: "cpf", number: "529.982.247-25" },
} as const;
const card = { number: NUMBER, holderName: HOLDER, expirationMonth: 3, expirationYear: 2039, cvv: CVV };
const order = { amount: 1990, externalRef: "order-1" };

const { value: token } = await payments.cardTokens.create(card);
await payments.transactions.createCard({
  ...{ ...order, customer, installments: 1, card: { hash: token }, ip: "203.0.113.7", metadata: {} },
  items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }],
  ...{ traceable: true, postbackUrl: `${baseUrl}/sandbox/inbox` },
});

// The merchant's server receives a postback, and a page asks it for a status.
const shop = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
await once(shop, "listening");
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "a secret of the tests, long enough" }] });
const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
await fetch(await signer.sign(`${address}/postbacks`, order));
await fetch(await signer.statusUrl(`${address}/status`, order));
shop.close();

await sandbox.close();
transport.close();
const refused = await payments.transactions.createPix({ ...order, customer }).then(
  () => "sent",
  (error: unknown) => (isPaymentsError(error) ? error.outcome : String(error)),
);
const spans = exporter.getFinishedSpans().map(({ kind, attributes, events, status }) => ({
  ...{ kind, attributes, events, status },
}));
process.stdout.write(JSON.stringify({ token, refused, spans }));
