import assert from "node:assert/strict";
import { CardTokenizer } from "../../browser.ts";
import type { SandboxStatus, SandboxTransaction } from "../../sandbox.ts";
import type { Sandbox } from "../../sandbox-server.ts";
import type { Shop, ShopOrder, ShopView } from "./shop.ts";

const VIEWS: readonly unknown[] = ["code", "paid", "declined", "waiting", "error"] satisfies ShopView[];

/** Money was taken, even if it was returned later. */
const PAID: readonly SandboxStatus[] = ["approved", "refunded", "chargedback"];
/** Money was taken, or still may be. */
const OPEN: readonly SandboxStatus[] = ["pending", "processing", "approved"];

/** Milliseconds after which what must not happen would have happened. */
const QUIET_MS = 150;

/** Milliseconds after which a customer without a response loads the page again. */
const PATIENCE_MS = 1_200;

const CARD = { holderName: "Maria Exemplo", expirationMonth: 12, cvv: "123" };

const POLL_MS = 10;

const pause = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined));

/** What the customers of a test share. */
export interface Stage {
  readonly shop: Shop;
  readonly sandbox: Sandbox;
  readonly timeoutMs: number;
  /** Cents, of every order. */
  readonly amounts: Set<number>;
}

/** How a customer pays: by pix, or with a card of this number. */
export type Method = "pix" | `${number}`;

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
  readonly #shop: Shop;
  readonly #sandbox: Sandbox;
  readonly #timeoutMs: number;
  readonly #amounts: Set<number>;
  readonly #order: Pick<ShopOrder, "id" | "amount">;
  readonly #tokenizer: CardTokenizer;
  #method: Method;
  #heldToken: string | undefined;
  readonly #seen: ShopView[] = [];

  constructor({ shop, sandbox, timeoutMs, amounts }: Stage, method: Method) {
    this.#shop = shop;
    this.#sandbox = sandbox;
    this.#timeoutMs = timeoutMs;
    this.#amounts = amounts;
    this.#order = { id: `order-${crypto.randomUUID()}`, amount: nextAmount() };
    amounts.add(this.#order.amount);
    this.#tokenizer = new CardTokenizer({ baseUrl: sandbox.baseUrl, publicKey: sandbox.publicKey });
    this.#method = method;
  }

  /** The transactions of the order, oldest first. */
  get transactions(): readonly SandboxTransaction[] {
    return this.#sandbox.gateway.transactions.filter(({ amount }) => amount === this.#order.amount);
  }

  /** Presses "pay", and waits for the page. */
  pay(): Promise<ShopView> {
    return this.sees("pay()", this.click());
  }

  /** Presses "pay". */
  click(): Promise<ShopView> {
    const page = (async () => this.#shop.pay(this.#toOrder()))();
    page.catch(() => undefined); // `sees` reports it
    return page;
  }

  /** Presses "pay" with another card. */
  payWith(method: Method): Promise<ShopView> {
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

  /** Loads the page of the order again. */
  reload(): Promise<ShopView> {
    return this.sees("view()", (async () => this.#shop.view(this.#order.id))());
  }

  /** Presses "pay". If the service stops responding, the customer loads the page again, and then the connection breaks. */
  async payThroughFault(): Promise<ShopView> {
    const { faults } = this.#sandbox.gateway;
    const page = this.click();
    let isLoading = true;
    const stop = () => {
      isLoading = false;
    };
    page.then(stop, stop);
    const deadline = performance.now() + this.#timeoutMs;
    for (let stalledMs = 0; isLoading && stalledMs < PATIENCE_MS; await pause(POLL_MS)) {
      if (faults.armed.length === 0) stalledMs += POLL_MS;
      else if (performance.now() > deadline) break;
    }
    if (isLoading) {
      await this.reload();
      this.#sandbox.closeConnections();
    }
    return this.sees("pay()", page);
  }

  /** Presses "pay", and the shop's process ends after the service has created the transaction. */
  async payAndRestart(): Promise<void> {
    this.#sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_stalled" });
    const page = this.click();
    await this.eventually(() => this.transactions.length > 0, "The shop sent no request to the service");
    await this.#shop.restart?.();
    this.#sandbox.closeConnections(); // a shop that only simulates a restart still waits
    const isLoaded = await Promise.race([page.then(() => true), pause(PATIENCE_MS)]); // it may load for ever
    if (isLoaded) await this.sees("pay()", page);
  }

  /** Checks what the shop shows. */
  async sees(what: string, page: Promise<ShopView>): Promise<ShopView> {
    let rejection: string | undefined;
    const loading = page.catch((error) => {
      rejection = String(error);
    });
    const view = await Promise.race([loading, pause(this.#timeoutMs)]);
    const problem =
      rejection === undefined ? `did not resolve within ${this.#timeoutMs} ms` : `rejected: ${rejection}`;
    if (view === undefined) throw await this.failure(`${what} ${problem}`);
    await this.expect(
      VIEWS.includes(view),
      `${what} resolved with ${JSON.stringify(view)}, which is not a view`,
    );
    this.#seen.push(view);
    const isPaid = this.transactions.some(({ status }) => PAID.includes(status));
    await this.expect(view !== "paid" || isPaid, "The shop says that the order is paid, and it is not");
    await this.expectNoDenial(view);
    return view;
  }

  /** Fails if the customer read that nothing was charged, while a charge exists or may exist. */
  async expectNoDenial(...views: readonly ShopView[]): Promise<void> {
    if (!this.transactions.some(({ status }) => OPEN.includes(status))) return;
    await this.expect(
      !views.includes("error"),
      "The shop says that nothing was charged, and a charge may exist",
    );
    await this.expect(
      !views.includes("declined"),
      "The shop says that the payment was declined, and it was not",
    );
  }

  /** Orders a pix, without failures. */
  async orderPix(): Promise<SandboxTransaction> {
    const view = await this.pay();
    const [pix] = this.transactions;
    if (pix === undefined) throw await this.failure("The service has no pix over the amount of the order");
    await this.expect(view === "code", "The customer gets no pix code");
    return pix;
  }

  /** Pays every pix code at the service, also one that the shop has not shown. The service sends the postbacks. */
  async payCodes(): Promise<void> {
    for (const transaction of this.transactions) {
      if (transaction.status !== "pending") continue;
      await this.expect(transaction.postBackUrl !== undefined, NO_POSTBACK_URL);
      this.#sandbox.gateway.pay(transaction.id);
    }
  }

  /** The service sends the current status of each transaction, again or for the first time. */
  async postAll(): Promise<void> {
    for (const { id, postBackUrl } of this.transactions) {
      await this.expect(postBackUrl !== undefined, NO_POSTBACK_URL);
      this.#sandbox.gateway.sendPostback(id);
    }
    await this.#sandbox.gateway.settled();
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
      signal: AbortSignal.timeout(this.#timeoutMs),
    }).catch(() => undefined); // a shop may also close the connection
    await response?.body?.cancel();
  }

  /** The order is paid: its goods are released once, and the customer is not asked to pay. */
  async isShippedOnce(): Promise<void> {
    await this.eventually(async () => (await this.#shipped()) > 0, "A paid order was not shipped");
    await this.quiet();
    await this.expect((await this.#shipped()) === 1, "An order was shipped more than once");
    await this.expect(
      (await this.reload()) !== "code",
      "The shop shows a pix code for an order that is paid",
    );
  }

  async isNotShipped(problem = "An order that is not paid was shipped"): Promise<void> {
    await this.quiet();
    await this.expect((await this.#shipped()) === 0, problem);
    await this.reload();
  }

  /** Of a card and of a pix: no other one can be paid. */
  async hasOnePayment(): Promise<void> {
    const open = this.transactions.filter(({ status }) => OPEN.includes(status));
    await this.expect(open.length > 0, "The service has no transaction over the amount of the order");
    await this.expect(open.length === 1, "One order has several payments");
  }

  async #shipped(): Promise<number> {
    return await this.#shop.shipped(this.#order.id);
  }

  async isChargedAtMostOnce(): Promise<void> {
    await this.expect(this.#charges.length <= 1, "The customer was charged more than once");
  }

  /** Waits for postbacks, and for work that the shop does after its response. */
  async quiet(): Promise<void> {
    await this.#sandbox.gateway.settled();
    await pause(QUIET_MS);
  }

  /** Repeats a check until it succeeds. */
  async eventually(check: () => boolean | Promise<boolean>, problem: string): Promise<void> {
    const deadline = performance.now() + this.#timeoutMs;
    while (!(await check())) {
      if (performance.now() > deadline) throw await this.failure(problem);
      await pause(POLL_MS);
    }
  }

  async expect(isRight: boolean, problem: string): Promise<void> {
    if (!isRight) throw await this.failure(problem);
  }

  /** `The customer was charged more than once: charged 2, shipped 1; the customer saw: waiting, error.` */
  async failure(problem: string): Promise<assert.AssertionError> {
    const codes = this.transactions.filter(
      ({ status, pix }) => pix !== undefined && status === "pending",
    ).length;
    const unpaid = codes === 0 ? "" : ` and ${codes} unpaid pix`;
    const shipped = await this.#shop.shipped(this.#order.id);
    const wrong = this.#sandbox.gateway.transactions.find(({ amount }) => !this.#amounts.has(amount));
    const other = wrong && `; the service has a transaction over ${wrong.amount} cents, which no order has`;
    const seen = this.#seen.filter((view, nth) => view !== this.#seen[nth - 1]).join(", ") || "nothing";
    return new assert.AssertionError({
      message: `${problem}: charged ${this.#charges.length}${unpaid}, shipped ${shipped}; the customer saw: ${seen}${other ?? ""}.`,
      stackStartFn: this.failure,
    });
  }

  /** The transactions that took money or, with a card, may take it. */
  get #charges(): readonly SandboxTransaction[] {
    return this.transactions.filter(
      ({ status, paymentMethod }) =>
        PAID.includes(status) || (paymentMethod === "credit_card" && OPEN.includes(status)),
    );
  }
}

const NO_POSTBACK_URL = "The service cannot report the payment, because the shop sent no postbackUrl";
