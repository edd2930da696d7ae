// Makes calls under an instrumentation of OpenTelemetry, and prints the spans that they leave.
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { HttpInstrumentation } from "@opentelemetry/instrumentation-http";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { startSandbox } from "payments-sdk/sandbox/server";
import { CVV, HOLDER, NUMBER, PUBLIC, SECRET, tracesIn } from "../../support/canaries.ts";

/** What a span shows of itself, as an exporter would send it. */
export interface TracedSpan {
  /** Of the request. */
  readonly path: string;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly hasParent: boolean;
}

export interface Traced {
  /** Of requests that left, in the order of their ends. */
  readonly spans: readonly TracedSpan[];
  /** Canaries that are anywhere in the spans, and whether the card's token is. */
  readonly leaks: readonly string[];
  /** Outcome of a create to a port where nobody listens. */
  readonly unheard: string;
  /** The query of a signed postback, as the span of the server that took it has it. */
  readonly taken: unknown;
}

const [sender, settings = ""] = process.argv.slice(2);
const { default: config }: { default: object } = await import(settings);

const exporter = new InMemorySpanExporter();
const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const storage = new AsyncLocalStorage<Context>();
context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, run, self, ...args) => storage.run(active, () => run.call(self as never, ...args)),
  bind: (_active, target) => target,
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});
const isNodeTransport = sender === "nodeTransport";
const instrumentation = isNodeTransport
  ? new HttpInstrumentation({
      ...config,
      ignoreIncomingRequestHook: ({ url }) => url !== undefined && isOfService(url),
    })
  : new UndiciInstrumentation(config);
registerInstrumentations({ tracerProvider, instrumentations: [instrumentation] });

// Only what is asked for from now on is watched.
const transport = isNodeTransport ? (await import("payments-sdk/node")).nodeTransport() : undefined;

const sandbox = await startSandbox({ secretKey: SECRET, publicKey: PUBLIC });
const { baseUrl, secretKey, publicKey, gateway } = sandbox;
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch: transport });
const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;
const card = { number: NUMBER, holderName: HOLDER, expirationMonth: 3, expirationYear: 2039, cvv: CVV };
const outcomeOf = (error: unknown) => (isPaymentsError(error) ? error.outcome : String(error));

const { value } = await payments.cardTokens.create(card);
await tracerProvider.getTracer("shop").startActiveSpan("pay", async (span) => {
  await payments.transactions.createCard({
    ...{ amount: 1990, customer, externalRef: "order-1", installments: 1, card: { hash: value } },
    items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: true }],
    ...{ ip: "203.0.113.7", metadata: {}, traceable: true, postbackUrl: `${baseUrl}/sandbox/inbox` },
  });
  span.end();
});
gateway.faults.add({ on: "company.retrieve", kind: "html_502" });
await payments.company.retrieve();
gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
await payments.transactions
  .createPix({ amount: 1990, customer, externalRef: "order-2" }, { timeout: 300 })
  .catch(() => undefined);
await sandbox.close();
transport?.close();
const unheard = await payments.transactions
  .createPix({ amount: 1990, customer, externalRef: "order-3" })
  .then(() => "sent", outcomeOf);

await takePostback();

const finished = exporter.getFinishedSpans();
const everything = JSON.stringify(
  finished.map(({ name, attributes, events, status, links }) => ({
    name,
    attributes,
    events,
    status,
    links,
  })),
);
const traced: Traced = {
  spans: finished
    .filter(({ kind }) => kind === SpanKind.CLIENT)
    .map(({ attributes, status, parentSpanContext }) => ({
      path: new URL(String(attributes["url.full"])).pathname,
      attributes,
      isError: status.code === SpanStatusCode.ERROR,
      hasParent: parentSpanContext !== undefined,
    })),
  leaks: [...tracesIn(everything), ...(everything.includes(value) ? ["token"] : [])],
  unheard,
  taken: finished.find(({ kind }) => kind === SpanKind.SERVER)?.attributes["url.query"],
};
process.stdout.write(JSON.stringify(traced));

/** The sandbox is in this process only for the test. */
function isOfService(url: string): boolean {
  return !url.startsWith("/postbacks");
}

/** What the merchant's own server does, where servers are watched: it is asked for as the transport asks. */
async function takePostback(): Promise<void> {
  const { createServer } = process.getBuiltinModule("node:http");
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const signer = new PostbackUrlSigner({
    keys: [{ kid: "1", secret: "a secret of the tests, long enough" }],
  });
  const order = { externalRef: "order-1", amount: 1990 };
  const url = await signer.sign(`http://127.0.0.1:${port}/postbacks`, order);
  await fetch(url).then((response) => response.text());
  server.close();
  server.closeAllConnections();
}
