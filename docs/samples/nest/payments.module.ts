import {
  All,
  BadGatewayException,
  BadRequestException,
  Controller,
  Inject,
  Injectable,
  Logger,
  Module,
  Req,
  Res,
  ServiceUnavailableException,
} from "@nestjs/common";
import type { Request, Response } from "express";
import {
  type CreateCardParams,
  type CreatePixParams,
  isPaymentsError,
  logEvents,
  PaymentsClient,
  type Transaction,
} from "payments-sdk";
import { type SqliteStore, sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, type PostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

export const STORE = Symbol("payments store");

function env(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`Set ${name}.`);
}

const createSigner = () =>
  new PostbackUrlSigner({ keys: [{ kid: "1", secret: env("PAYMENTS_POSTBACK_SECRET") }] });

function throwHttp(error: unknown): never {
  if (!isPaymentsError(error)) throw error;
  if (error.mayHaveCharged) throw new ServiceUnavailableException("We are checking your payment.");
  if (error.code === "pix_refused") throw new BadRequestException("Please pay another way.");
  if (error.actor === "customer") throw new BadRequestException("Please check your data.");
  throw new BadGatewayException("Nothing was charged. Please try again.");
}

function checkAmount({ status, amount, paidAmount }: Transaction, order: { amount: number }) {
  if (status !== "approved" || (paidAmount || amount) === order.amount) return;
  throw new ServiceUnavailableException("We are checking your payment."); // for a person, see `onReview`
}

@Injectable()
export class OrdersService {
  private readonly shipped = new Set<string>(); // in production: a column of your orders

  ship(externalRef: string) {
    if (this.shipped.has(externalRef)) return; // a second click, or the postback of an approved card
    this.release(externalRef);
    this.shipped.add(externalRef); // after it: what throws runs again
  }

  /** Sends the goods. */
  release(externalRef: string) {
    console.log("Ship", externalRef);
  }
}

@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentsClient,
    private readonly orders: OrdersService,
  ) {}

  beforeApplicationShutdown() {
    setTimeout(() => void this.payments.close(), 3_000).unref(); // Nest now closes its server, which may take long
  }

  async onApplicationShutdown() {
    await this.payments.close(); // waits for the calls in flight
  }

  async onModuleInit() {
    await this.payments.company.retrieve(); // throws if a key or the URL is wrong
  }

  async createPix(order: CreatePixParams) {
    const transaction = await this.payments.transactions
      .createPix(order, { replaceLost: true })
      .catch(throwHttp);
    checkAmount(transaction, order);
    const { id, status, pix } = transaction;
    return { id, status, code: pix.qrcodeText }; // "approved": a repeat of a paid order
  }

  async createCard(order: Omit<CreateCardParams, "card">, token: CreateCardParams["card"]["hash"]) {
    const params = { ...order, card: { hash: token } };
    const transaction = await this.payments.transactions.createCard(params).catch(throwHttp);
    checkAmount(transaction, order);
    const { id, status } = transaction;
    if (status === "approved") this.orders.ship(order.externalRef); // there may be no postback
    return { id, status }; // "refused": ask for another card
  }
}

@Controller("postbacks")
export class PostbacksController {
  private readonly handler: PostbackHandler;
  private timer?: NodeJS.Timeout;

  constructor(@Inject(STORE) store: SqliteStore, orders: OrdersService) {
    this.handler = createPostbackHandler({
      store,
      signer: createSigner(),
      onPaid: ({ externalRef = "" }) => orders.ship(externalRef),
      onReview: ({ externalRef }, { reason }) => console.error("Check", externalRef, reason),
    });
  }

  onModuleInit() {
    const retry = () => void this.handler.retryFailed().catch((error) => console.error(String(error)));
    retry();
    this.timer = setInterval(retry, 60_000).unref();
  }

  beforeApplicationShutdown() {
    clearInterval(this.timer);
    setTimeout(() => void this.handler.close(), 3_000).unref();
  }

  async onApplicationShutdown() {
    await this.handler.close(); // waits for the callbacks that are running
  }

  @All()
  receive(@Req() request: Request, @Res() response: Response) {
    return this.handler.node(request, response);
  }
}

@Module({
  controllers: [PostbacksController],
  providers: [
    OrdersService,
    PaymentsService,
    { provide: STORE, useFactory: () => sqliteStore(env("PAYMENTS_STORE")) },
    {
      provide: PaymentsClient,
      inject: [STORE],
      useFactory: (idempotency: SqliteStore) =>
        new PaymentsClient({
          idempotency,
          postbackSigner: createSigner(),
          postbackUrl: env("PAYMENTS_POSTBACK_URL"),
          onEvent: logEvents(new Logger("Payments")),
        }),
    },
  ],
  exports: [PaymentsService, STORE],
})
export class PaymentsModule {
  constructor(@Inject(STORE) private readonly store: SqliteStore) {}

  onApplicationShutdown() {
    this.store.close(); // after those of the providers and controllers
  }
}
