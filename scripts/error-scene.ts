import { type AddressInfo, createServer, type Socket } from "node:net";
import {
  type CreateCardParams,
  type CreatePixParams,
  isPaymentsError,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsError,
  type PaymentsErrorCode,
} from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createGateway, type FaultKind, type Gateway } from "payments-sdk/sandbox";

const customer = {
  name: "Maria Exemplo",
  email: "maria@example.com",
  phone: "11999998888",
  document: { type: "cpf", number: "529.982.247-25" },
} as const;

export const aPix = { amount: 1990, customer, externalRef: "order-1" } as const satisfies CreatePixParams;

export const aCardPayment = {
  amount: 1990,
  customer,
  card: { hash: "a-token" },
  installments: 1,
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  externalRef: "order-1",
  postbackUrl: "https://shop.example.com/postbacks",
  ip: "203.0.113.7",
  metadata: { cart: 42 },
  traceable: true,
} as const satisfies CreateCardParams;

export const aCard = {
  number: "4000 0000 0000 9995",
  holderName: "Maria Exemplo",
  expirationMonth: 12,
  expirationYear: 2039,
  cvv: "123",
} as const;

/** A shop on a sandbox of its own, where things go wrong on request. */
export class Scene {
  readonly gateway: Gateway = createGateway({ seed: 1 });
  /** Of the clients that have one. */
  readonly store = memoryStore();

  client(options: PaymentsClientOptions = {}): PaymentsClient {
    const { baseUrl, secretKey, publicKey } = this.gateway;
    const fetch: PaymentsClientOptions["fetch"] = (url, init) => this.gateway.fetch(url, init);
    // Who listens gets the warning of the store that forgets; nobody has to read it here.
    const quiet = { fetch, maxRetries: 0, onEvent: () => undefined };
    return new PaymentsClient({ baseUrl, secretKey, publicKey, ...quiet, ...options });
  }

  /** A client of a service that says the same to everything. */
  answering(status: number, body: unknown, headers?: Record<string, string>): PaymentsClient {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.client({ fetch: async () => new Response(text, { status, ...(headers && { headers }) }) });
  }

  /** The next create goes wrong. */
  broken(kind: FaultKind, options: PaymentsClientOptions = {}): PaymentsClient {
    this.gateway.faults.add({ on: "transactions.create", kind });
    return this.client(options);
  }
}

/** When an error occurs, and how to let it. */
export interface Occasion {
  readonly when: string;
  /** It is not thrown: an `error` event tells of it. */
  readonly byEvent?: true;
  readonly provoke: (scene: Scene) => Promise<PaymentsError>;
}

export type Occasions = Partial<Record<PaymentsErrorCode, readonly Occasion[]>>;

/** The error that a pix ends with. */
export const create = (client: PaymentsClient): Promise<PaymentsError> =>
  errorOf(() => client.transactions.createPix(aPix));

/** The error that a call ends with. */
export async function errorOf(call: () => unknown): Promise<PaymentsError> {
  try {
    await call();
  } catch (error) {
    if (isPaymentsError(error)) return error;
    throw error;
  }
  throw new Error(`It did not fail: ${call}`);
}

/** A port that took connections, and does so no more. */
export async function closedPort(): Promise<number> {
  const server = await listening();
  await server.close();
  return server.port;
}

/** A port that takes connections and says nothing on them. */
export async function silentPort(): Promise<{ port: number; close: () => Promise<void> }> {
  return listening();
}

async function listening() {
  const server = createServer().listen(0, "127.0.0.1");
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket.on("error", () => undefined)));
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { port, close };
}
