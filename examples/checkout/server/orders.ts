import { randomUUID } from "node:crypto";
import type { TransactionStatus } from "payments-sdk";
import type { OrderState, OrderView } from "../shared/order-view.ts";

/** What the shop sells. The price is here and nowhere else: a page cannot change it. */
export const PRODUCT = { title: "Camiseta Ipê", unitPrice: 9_000, quantity: 1, tangible: true } as const;

/** One try to pay an order. */
export interface Attempt {
  readonly order: Order;
  readonly method: "card" | "pix";
  /** Its own reference at the service: its postbacks are found by it. */
  readonly externalRef: string;
  transactionId?: number;
  /** Whether its request failed, so that no one has seen a code of it. */
  hasFailed?: boolean;
  /** Whether a pix of it was lost and created again: two transactions then have its reference. */
  isReplaced?: boolean;
  /** Whether it brought money, and whether that was returned. */
  money?: "received" | "returned";
}

/** What a response of the service or a postback says about an attempt. */
export interface Outcome {
  readonly status: TransactionStatus;
  readonly refusedReason?: string;
  readonly pix?: { readonly code: string; readonly picture?: string; readonly expiresAt?: string };
}

/** An order: at most one attempt to pay it is open at a time, so that nobody is charged twice. */
export class Order {
  readonly id = randomUUID();
  readonly amount = PRODUCT.unitPrice * PRODUCT.quantity;
  readonly attempts: Attempt[] = [];
  /** How many cards were refused. */
  refusals = 0;
  #state: OrderState = { kind: "open" };
  #revision = 0;

  get kind(): OrderState["kind"] {
    return this.#state.kind;
  }

  view(): OrderView {
    return { id: this.id, revision: this.#revision, state: this.#state };
  }

  /** Whether two attempts brought money: one has to be refunded. */
  get isPaidTwice(): boolean {
    return this.attempts.filter(({ money }) => money === "received").length > 1;
  }

  /**
   * Claims the order for one attempt. `undefined` if it is claimed or paid, or has changed since the buyer saw it:
   * browsers repeat a request whose connection broke, and networks deliver late.
   */
  begin(method: Attempt["method"], revision: number): Attempt | undefined {
    if (this.#state.kind !== "open" || revision !== this.#revision) return undefined;
    const attempt = this.#lostPix(method) ?? this.#addAttempt(method);
    this.#change({ kind: "paying" });
    return attempt;
  }

  /** A pix that failed keeps its reference: the store of the client then knows all of its transactions. */
  #lostPix(method: Attempt["method"]): Attempt | undefined {
    const last = this.attempts.at(-1);
    if (method !== "pix" || last?.method !== "pix" || !last.hasFailed) return undefined;
    return Object.assign(last, { hasFailed: false, isReplaced: true });
  }

  #addAttempt(method: Attempt["method"]): Attempt {
    const attempt: Attempt = { order: this, method, externalRef: `${this.id}-${this.attempts.length + 1}` };
    this.attempts.push(attempt);
    return attempt;
  }

  /** The attempt charged nobody: another one may begin. */
  release(attempt: Attempt): void {
    attempt.hasFailed = true;
    if (this.#isOpen(attempt)) this.#change({ kind: "open" });
  }

  /** It is unknown whether the attempt charged the buyer: only a postback will report it. */
  holdUntilPostback(attempt: Attempt): void {
    if (this.#isOpen(attempt)) this.#change({ kind: "checking" });
  }

  /** Takes note of a status: of a response or a postback, in whatever order they come. */
  settle(attempt: Attempt, outcome: Outcome): void {
    const next = this.#next(attempt, outcome);
    if (next !== undefined) this.#change(next);
  }

  #next(attempt: Attempt, { status, refusedReason, pix }: Outcome): OrderState | undefined {
    // Money moved: true whenever it is reported, and of whichever attempt. An approval after the refund is late.
    if (status === "approved") attempt.money ??= "received";
    if (status === "refunded" || status === "chargedback") attempt.money = "returned";
    if (this.attempts.some(({ money }) => money === "received")) return { kind: "paid" };
    if (status === "refunded" || status === "chargedback") {
      return { kind: this.#state.kind === "chargedback" ? "chargedback" : status };
    }
    // The rest is about an open attempt; late reports about another one change nothing.
    if (!this.#isOpen(attempt)) return undefined;
    switch (status) {
      case "refused":
        this.refusals += 1;
        return { kind: "open", refusedReason: refusedReason ?? "unspecified" };
      case "expired":
      case "cancelled":
        return { kind: "open", ended: status };
      case "pending":
        return pix && { kind: "pix", ...pix };
      case "processing":
        return { kind: "processing" };
      default:
        return this.#state.kind === "paying" ? { kind: "checking" } : undefined;
    }
  }

  #isOpen(attempt: Attempt): boolean {
    const isLatest = attempt === this.attempts.at(-1);
    return isLatest && ["paying", "pix", "processing", "checking"].includes(this.#state.kind);
  }

  #change(state: OrderState): void {
    this.#state = state;
    this.#revision += 1;
  }
}

/** The shop's orders, in memory. A real shop keeps them in a database, where `begin` is one atomic update. */
export class Orders {
  readonly #byId = new Map<string, Order>();

  create(): Order {
    const order = new Order();
    this.#byId.set(order.id, order);
    return order;
  }

  find(id: string): Order | undefined {
    return this.#byId.get(id);
  }

  attemptOf(externalRef: string): Attempt | undefined {
    const order = this.find(externalRef.replace(/-\d+$/, ""));
    return order?.attempts.find((attempt) => attempt.externalRef === externalRef);
  }
}
