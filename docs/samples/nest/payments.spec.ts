// Rehearses the module with Jest: see docs/rehearse.md. It needs adapter.ts and shop.ts of the folder rehearse.
import type { RequestListener } from "node:http";
import { Body, Controller, Get, Inject, Module, Param, Post } from "@nestjs/common";
import { Test } from "@nestjs/testing";
import { PaymentsClient } from "payments-sdk";
import type { SqliteStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { shopTests } from "payments-sdk/testing";
import { startShop } from "./adapter";
import { OrdersService, PaymentsModule, PaymentsService, STORE } from "./payments.module";
import type { Settings } from "./shop";

const secret = "only for tests, never for a shop";
process.env.PAYMENTS_POSTBACK_SECRET = secret;
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret }] });

const ORDERS = Symbol("the orders of a test");

/** The page of an order, which shows what the store knows. Use your own. */
@Controller("orders/:id")
class OrderPage {
  constructor(
    private readonly payments: PaymentsService,
    @Inject(STORE) private readonly store: SqliteStore,
    @Inject(ORDERS) private readonly orders: Settings["orders"],
  ) {}

  @Post()
  async pay(@Param("id") id: string, @Body("token") token?: string) {
    const amount = this.orders.get(id)?.amount ?? 0;
    const order = {
      ...{ externalRef: id, amount, ip: "203.0.113.7", metadata: {}, traceable: true },
      customer: {
        ...{ name: "Maria Exemplo", email: "maria@example.com", phone: "11999998888" },
        document: { type: "cpf", number: "529.982.247-25" },
      },
      items: [{ title: "Camiseta", unitPrice: amount, quantity: 1, tangible: true }],
    } as const;
    const paid = token
      ? this.payments.createCard({ ...order, installments: 1 }, token)
      : this.payments.createPix({ ...order, pix: { expiresInDays: 1 } });
    await paid.catch(() => undefined); // the page shows what the store knows
    return this.show(id);
  }

  @Get()
  async show(@Param("id") id: string) {
    const { state = "free", lastStatus, transaction } = (await this.store.get(id)) ?? {};
    if (state === "free") return lastStatus === "refused" ? "The card was declined." : "Nothing was charged.";
    if (transaction?.status === "approved" && this.orders.get(id)?.isShipped) return "Your order is paid.";
    return transaction?.status === "pending" && transaction.pix ? "Pay with this code: …" : "Please wait.";
  }
}

@Module({
  imports: [PaymentsModule],
  controllers: [OrderPage],
  providers: [{ provide: ORDERS, useValue: 0 }],
})
class TestModule {}

async function createApp({ store, orders, release, ...service }: Settings) {
  const shop = new OrdersService();
  shop.release = (id) => {
    if (orders.get(id)?.isShipped) return; // a database outlasts the process
    release(id);
    Object.assign(orders.get(id) ?? {}, { isShipped: true });
  };
  const client = new PaymentsClient({ ...service, idempotency: store, postbackSigner: signer, onEvent() {} });
  const testing = Test.createTestingModule({ imports: [TestModule] });
  for (const [token, value] of [
    ...[[STORE, store] as const, [ORDERS, orders] as const],
    ...[[OrdersService, shop] as const, [PaymentsClient, client] as const],
  ])
    testing.overrideProvider(token).useValue(value);
  const app = (await testing.compile()).createNestApplication({ logger: false });
  await app.init();
  return app.getHttpAdapter().getInstance() as RequestListener;
}

const tests = shopTests({ start: (service) => startShop(service, createApp) });
for (const { name, run } of tests) test.concurrent(name, run);
