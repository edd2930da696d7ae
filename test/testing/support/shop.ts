import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import { memoryStore, type PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import type { Shop, ShopOrder, ShopService, ShopView } from "payments-sdk/testing";

export const KEYS = [{ kid: "1", secret: "a secret of the tests, 32 bytes or more" }] as const;

const DETAILS = {
  customer: {
    ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
    document: { type: "cpf", number: "52998224725" },
  },
  items: [{ title: "Camiseta", unitPrice: 1990, quantity: 1, tangible: true }],
  ...{ ip: "203.0.113.7", metadata: {}, traceable: true },
} as const;

/** A shop in this process that does everything right. A wrong one replaces a method. */
export class RightShop implements Shop {
  /** What lasts when the process ends. */
  store: PaymentsStore = memoryStore();
  readonly shipments: string[] = [];
  readonly returned = new Set<string>();

  readonly service: ShopService;
  readonly signer = new PostbackUrlSigner({ keys: KEYS });
  payments: PaymentsClient;
  #server = createServer();
  #isFailing = false;

  constructor(service: ShopService) {
    this.service = service;
    this.payments = this.createClient();
  }

  createClient(postbackUrl = "http://127.0.0.1/postbacks"): PaymentsClient {
    const { store: idempotency, signer: postbackSigner } = this;
    return new PaymentsClient({
      ...this.service,
      ...{ idempotency, postbackSigner, postbackUrl, onEvent: () => undefined },
    });
  }

  createListener(): RequestListener {
    return createPostbackHandler({
      ...{ signer: this.signer, store: this.store, onEvent: () => undefined },
      onPaid: ({ externalRef }) => this.ship(externalRef ?? ""),
      onReturned: ({ externalRef }) => void this.returned.add(externalRef ?? ""),
      onReview: () => undefined,
    }).node;
  }

  createServer(): Server | Promise<Server> {
    return createServer(this.createListener());
  }

  async listen(port = 0): Promise<void> {
    this.#server = (await this.createServer()).listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    const { port: used } = this.#server.address() as AddressInfo;
    this.payments = this.createClient(`http://127.0.0.1:${used}/postbacks`);
  }

  /** Ships an order once. */
  ship(externalRef: string): unknown {
    return this.shipments.includes(externalRef) || this.release(externalRef);
  }

  release(externalRef: string): void {
    if (this.#isFailing) {
      this.#isFailing = false;
      throw new Error("the shop's database is down");
    }
    this.shipments.push(externalRef);
  }

  referenceOf({ id }: ShopOrder): string {
    return id;
  }

  async pay(order: ShopOrder): Promise<ShopView> {
    try {
      const params = { ...DETAILS, amount: order.amount, externalRef: this.referenceOf(order) };
      if (order.method === "pix") await this.payByPix(params);
      else await this.payByCard(params, (await order.cardToken?.()) ?? "");
      return await this.view(order.id);
    } catch (error) {
      return this.explain(error);
    }
  }

  payByPix(
    params: typeof DETAILS & { readonly amount: number; readonly externalRef: string },
  ): Promise<unknown> {
    return this.payments.transactions.createPix(
      { ...params, pix: { expiresInDays: 1 } },
      { replaceLost: true },
    );
  }

  async payByCard(
    params: typeof DETAILS & { readonly amount: number; readonly externalRef: string },
    hash: string,
  ): Promise<void> {
    const { status } = await this.payments.transactions.createCard({
      ...params,
      installments: 1,
      card: { hash },
    });
    if (status === "approved") await this.ship(params.externalRef);
  }

  explain(error: unknown): ShopView {
    return isPaymentsError(error) && !error.mayHaveCharged ? "error" : "waiting";
  }

  async view(id: string): Promise<ShopView> {
    if (this.returned.has(id)) return "waiting";
    if (this.shipments.includes(id)) return "paid";
    const { state = "free", lastStatus, transaction } = (await this.store.get(id)) ?? {};
    if (state === "free") return lastStatus === "refused" ? "declined" : "error";
    if (transaction?.status === "refused") return "declined";
    if (transaction?.status === "expired" || transaction?.status === "cancelled") return "error";
    return transaction?.status === "pending" && transaction.pix !== undefined ? "code" : "waiting";
  }

  shipped(id: string): number {
    return this.shipments.filter((shipment) => shipment === id).length;
  }

  failOnce(): void {
    this.#isFailing = true;
  }

  async restart(): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    await this.stop();
    await this.listen(port);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

export async function startShop(
  ShopOfTest: new (service: ShopService) => RightShop,
  service: ShopService,
): Promise<RightShop> {
  const shop = new ShopOfTest(service);
  await shop.listen();
  return shop;
}
