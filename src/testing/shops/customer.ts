import assert from "node:assert/strict";
import { CardTokenizer } from "../../browser.ts";
import type { SandboxStatus, SandboxTransaction } from "../../sandbox.ts";
import type { Sandbox } from "../../sandbox-server.ts";
import { eventually, pause } from "../waiting.ts";
import type { DrivenShop } from "./driven-shop.ts";
import type { OrderUrl } from "./forged-urls.ts";
import { OrderAtService } from "./order-at-service.ts";
import type { ShopOrder, ShopView } from "./shop.ts";

/** Milliseconds in which a second shipment follows the first. */
const QUIET_MS = 100;

/** Milliseconds after which a customer without a response loads the page again. */
const PATIENCE_MS = 1_000;

const NO_POSTBACK_URL = "The service cannot report the payment, because the shop sent no postbackUrl";

const CARD = { holderName: "Maria Exemplo", expirationMonth: 12, cvv: "123" };

export interface Stage {
  readonly shop: DrivenShop;
  readonly sandbox: Sandbox;
  readonly timeoutMs: number;
  /** Cents, of all orders. */
  readonly amounts: Set<number>;
  /** With which a customer can pay. */
  readonly methods: readonly ShopOrder["method"][];
}

/** How a customer pays: by pix, or with a card of this number. */
export type Method = "pix" | `${number}`;

/** A card that is approved at once. */
export const APPROVED = "4111111111111111";

/** A rule that does not apply: the customers of the shop cannot pay like this. */
export class MissingMethod extends Error {}

/** Cents, of the last order of all tests of this process. */
let lastAmount = 10_000;

/** Another one for each order, and one that code with floats gets wrong: 128.14 * 100 is 12813.999999999998. */
function nextAmount(): number {
  do lastAmount += 1;
  while (Math.trunc((lastAmount / 100) * 100) === lastAmount);
  return lastAmount;
}

/** A customer with one order. Each page that the customer sees is checked against what the service knows. */
export class Customer {
  readonly #stage: Stage;
  readonly #order: Pick<ShopOrder, "id" | "amount">;
  readonly #tokenizer: CardTokenizer;
  #method: Method;
  #heldToken: string | undefined;
  readonly #seen: ShopView[] = [];
  readonly atService: OrderAtService;

  constructor(stage: Stage, method: Method) {
    const { sandbox, amounts } = stage;
    assertMethod(stage, method);
    const amount = nextAmount();
    amounts.add(amount);
    this.#stage = stage;
    this.#order = { id: `order-${crypto.randomUUID()}`, amount };
    this.#tokenizer = new CardTokenizer({ baseUrl: sandbox.baseUrl, publicKey: sandbox.publicKey });
    this.#method = method;
    this.atService = new OrderAtService(sandbox.gateway, amount, amounts);
  }

  /** The URL for its postbacks, and all that may name the order in it. */
  get orderUrl(): OrderUrl {
    const [{ postBackUrl: url = "", externalId = "" } = {}] = this.atService.transactions;
    return { url, ids: [externalId, this.#order.id].filter((id) => id !== "") };
  }

  /** Presses "pay", and waits for the page. */
  pay(): Promise<ShopView> {
    return this.seesPage(this.click());
  }

  /** Presses "pay". */
  click(): Promise<ShopView> {
    return this.#stage.shop.click(this.#toOrder());
  }

  async payWith(method: Method): Promise<ShopView> {
    assertMethod(this.#stage, method);
    this.#method = method;
    return this.pay();
  }

  #toOrder(): ShopOrder {
    const number = this.#method;
    if (number === "pix") return { ...this.#order, method: number };
    const card = { number, ...CARD, expirationYear: new Date().getFullYear() + 5 };
    const cardToken = async () => this.#heldToken ?? (await this.#tokenizer.tokenize(card)).value;
    return { ...this.#order, method: "credit_card", card, cardToken };
  }

  /** Converts the card to a token, and uses this one until it is renewed. Nothing for a pix. */
  async holdToken(): Promise<void> {
    this.#heldToken = await this.#toOrder().cardToken?.();
  }

  renewToken(): void {
    this.#heldToken = undefined;
  }

  /** Presses "pay". The service stops responding, the customer loads the page again, and then the connection breaks. */
  async payAndStall(): Promise<ShopView> {
    const page = this.click();
    await this.isRequested();
    await pause(PATIENCE_MS);
    await this.reload();
    this.#stage.sandbox.closeConnections();
    return this.seesPage(page);
  }

  /** Presses "pay", and the shop's process ends after the service has created the transaction. */
  async payAndRestart(): Promise<void> {
    const { shop, sandbox } = this.#stage;
    sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
    const page = this.click();
    await this.isRequested();
    await shop.restart();
    sandbox.closeConnections(); // a shop that only simulates a restart still waits
    // The page may load for ever, or its connection breaks.
    const view = await Promise.race([page.catch(() => undefined), pause(PATIENCE_MS)]);
    if (view !== undefined) await this.seesPage(page);
  }

  async seesPage(page: Promise<ShopView>): Promise<ShopView> {
    return this.#sees(await this.#explained(this.#stage.shop.pageOf(page)));
  }

  async reload(): Promise<ShopView> {
    return this.#sees(await this.#explained(this.#stage.shop.view(this.#order.id)));
  }

  async #sees(view: ShopView): Promise<ShopView> {
    this.#seen.push(view);
    const isRight = view !== "paid" || this.atService.isPaid;
    await this.expect(isRight, "The shop says that the order is paid, and it is not");
    await this.expectNoDenial(view);
    return view;
  }

  /** Fails if the customer read that nothing was charged, while a charge exists or may exist. */
  async expectNoDenial(...views: readonly ShopView[]): Promise<void> {
    if (this.atService.open.length === 0) return;
    const isDenied = views.includes("error");
    await this.expect(!isDenied, "The shop says that nothing was charged, and a charge may exist");
    const isDeclined = views.includes("declined");
    await this.expect(!isDeclined, "The shop says that the payment was declined, and it was not");
  }

  async orderPix(): Promise<SandboxTransaction> {
    const view = await this.pay();
    const [pix] = this.atService.transactions;
    if (pix === undefined) throw await this.failure("The service has no pix over the amount of the order");
    await this.expect(view === "code", "The customer gets no pix code");
    return pix;
  }

  /** Pays every pix code at the service, also one that the shop has not shown. The service sends the postbacks. */
  async payCodes(): Promise<void> {
    for (const transaction of this.atService.transactions) {
      if (transaction.status !== "pending") continue;
      await this.expect(transaction.postBackUrl !== undefined, NO_POSTBACK_URL);
      this.#stage.sandbox.gateway.pay(transaction.id);
    }
  }

  /** The service sends the current status of each transaction, again or for the first time. */
  async postAll(): Promise<void> {
    const { gateway } = this.#stage.sandbox;
    for (const { id, postBackUrl } of this.atService.transactions) {
      await this.expect(postBackUrl !== undefined, NO_POSTBACK_URL);
      gateway.sendPostback(id);
    }
    await gateway.settled();
  }

  /** Sends a postback, as the service does or with what is wrong with it. Resolves when the shop has responded. */
  async post(
    { id, externalId, amount, postBackUrl }: SandboxTransaction,
    status: SandboxStatus,
    changes: { readonly amount?: number; readonly url?: string } = {},
  ): Promise<void> {
    const { url = postBackUrl, ...changed } = changes;
    if (url === undefined) throw await this.failure(NO_POSTBACK_URL);
    const externalRef = externalId === undefined ? {} : { externalRef: externalId };
    const transactionDate = new Date().toISOString();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, status, ...externalRef, amount, transactionDate, ...changed }),
      redirect: "manual",
      signal: AbortSignal.timeout(this.#stage.timeoutMs),
    }).catch(() => undefined);
    if (response === undefined) throw await this.failure("The shop did not respond to a postback");
    await response.body?.cancel();
  }

  /** The order is paid: its goods are released once, and the customer is not asked to pay. */
  async isShippedOnce(problem = "A paid order was not shipped"): Promise<void> {
    await this.eventually(
      async () => (await this.#shipped()) > 0,
      () => (this.atService.charges.length > 0 ? problem : "The customer could not pay"),
    );
    await this.#stage.sandbox.gateway.settled();
    await pause(QUIET_MS);
    await this.expect((await this.#shipped()) === 1, "An order was shipped more than once");
    await this.expect(this.atService.isPaid, "An order was shipped without a payment");
    const asksToPay = async () => (await this.reload()) === "code";
    await this.eventually(async () => !(await asksToPay()), "The shop shows a pix code for a paid order");
  }

  /** This order is not shipped, also not later than the next one, which is paid and shipped. */
  async isNotShipped(problem = "An order that is not paid was shipped"): Promise<void> {
    await this.expect((await this.#shipped()) === 0, problem);
    await this.reload();
    const next = new Customer(this.#stage, this.#stage.methods.includes("pix") ? "pix" : APPROVED);
    await next.pay();
    await next.payCodes();
    // Also if the test holds back what the service sends.
    for (const transaction of next.atService.transactions) await next.post(transaction, "approved");
    await next.isShippedOnce("The next order was not shipped");
    await this.expect((await this.#shipped()) === 0, problem);
  }

  /** A card or a pix, and no other one can be paid. */
  async hasOnePayment(): Promise<void> {
    const { length } = this.atService.open;
    await this.expect(length > 0, "The service has no transaction over the amount of the order");
    await this.expect(length === 1, "One order has several payments");
  }

  async isChargedAtMostOnce(): Promise<void> {
    await this.expect(this.atService.charges.length <= 1, "The customer was charged more than once");
  }

  /** The shop has sent its request, and may wait for the response. */
  async isRequested(): Promise<void> {
    const hasTransaction = () => this.atService.transactions.length > 0;
    await this.eventually(hasTransaction, "The shop sent no request to the service");
  }

  async eventually(check: () => boolean | Promise<boolean>, problem: string | (() => string)): Promise<void> {
    const expectNow = async () => {
      if (!(await check())) throw await this.failure(typeof problem === "string" ? problem : problem());
    };
    await eventually(expectNow, this.#stage.timeoutMs);
  }

  async expect(isRight: boolean, problem: string): Promise<void> {
    if (!isRight) throw await this.failure(problem);
  }

  /** `The customer was charged more than once: charged 2, shipped 1; the customer saw: waiting, error.` */
  async failure(problem: string): Promise<assert.AssertionError> {
    const shipped = await this.#stage.shop.shipped(this.#order.id).catch(() => "?");
    const seen = this.#seen.filter((view, nth) => view !== this.#seen[nth - 1]).join(", ") || "nothing";
    const facts = `${this.atService.describe()}, shipped ${shipped}; the customer saw: ${seen}`;
    return new assert.AssertionError({
      message: `${problem}: ${facts}.${this.atService.explain()}`,
      stackStartFn: this.failure,
    });
  }

  /** Adds the facts to the failure of a call of the shop. */
  async #explained<Result>(calling: Promise<Result>): Promise<Result> {
    try {
      return await calling;
    } catch (error) {
      if (!(error instanceof assert.AssertionError)) throw error;
      throw Object.assign(await this.failure(error.message), { cause: error.cause });
    }
  }

  #shipped(): Promise<number> {
    return this.#stage.shop.shipped(this.#order.id);
  }
}

function assertMethod({ methods }: Stage, method: Method): void {
  if (!methods.includes(method === "pix" ? "pix" : "credit_card")) throw new MissingMethod();
}
