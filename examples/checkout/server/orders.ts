import { randomUUID } from "node:crypto";
import type { TransactionStatus } from "payments-sdk";
import type { OrderState, OrderView } from "../shared/order-view.ts";

/** What the shop sells. The price is here and nowhere else: what a page says of it does not count. */
export const PRODUCT = {
  title: "Camiseta Ipê",
  unitPrice: 9_000,
  quantity: 1,
  tangible: true,
} as const;

export type Method = "card" | "pix";

/** One try to pay an order. */
export interface Attempt {
  readonly order: Order;
  readonly method: Method;
  /** The merchant's reference at the service, and no other attempt's: postbacks are found by it. */
  readonly externalRef: string;
  transactionId?: number;
  /** Whether it brought money, and whether that went back. */
  money?: "received" | "returned";
}

/** What an attempt came to, by the answer of the service or by a postback. */
export interface Outcome {
  readonly status: TransactionStatus;
  readonly refusedReason?: string;
  readonly pix?: { readonly code: string; readonly picture?: string; readonly expiresAt?: Date };
}

type Stored = Exclude<OrderState, { kind: "pix" }> | ({ readonly kind: "pix" } & NonNullable<Outcome["pix"]>);

/** An order: at most one attempt to pay it is open at a time, so that nobody is charged twice. */
export class Order {
  readonly id = randomUUID();
  readonly amount = PRODUCT.unitPrice * PRODUCT.quantity;
  readonly attempts: Attempt[] = [];
  readonly #listeners = new Set<(view: OrderView) => void>();
  #state: Stored = { kind: "open" };
  #refusals = 0;
  #revision = 0;

  get kind(): OrderState["kind"] {
    return this.#state.kind;
  }

  /** How many cards were refused. */
  get refusals(): number {
    return this.#refusals;
  }

  view(): OrderView {
    const { id, amount } = this;
    const order = { id, amount, revision: this.#revision };
    const state = this.#state;
    if (state.kind !== "pix") return { ...order, state };
    const { expiresAt, ...code } = state;
    const expiresInMs = expiresAt && Math.max(0, expiresAt.getTime() - Date.now());
    return { ...order, state: { ...code, ...(expiresInMs !== undefined && { expiresInMs }) } };
  }

  /** Whether two attempts brought money: somebody has to give one back. */
  get isPaidTwice(): boolean {
    return this.attempts.filter(({ money }) => money === "received").length > 1;
  }

  /**
   * Takes the order for one attempt; `undefined` where it is taken, paid, or not any more what the buyer saw:
   * browsers send a request again whose connection broke, and networks deliver late.
   */
  begin(method: Method, revision = this.#revision): Attempt | undefined {
    if (this.#state.kind !== "open" || revision !== this.#revision) return undefined;
    const externalRef = `${this.id}-${this.attempts.length + 1}`;
    const attempt: Attempt = { order: this, method, externalRef };
    this.attempts.push(attempt);
    this.#change({ kind: "paying" });
    return attempt;
  }

  /** Refuses what was sent and has not come yet, so that a page may say that nothing was charged. */
  refuseLate(): void {
    if (this.#state.kind === "open") this.#change(this.#state);
  }

  /** The attempt charged nobody: another one may be made. */
  giveBack(attempt: Attempt): void {
    if (this.#isOpen(attempt)) this.#change({ kind: "open" });
  }

  /** Whether the attempt charged somebody is not known, and only a postback will tell. */
  leaveOpen(attempt: Attempt): void {
    if (this.#isOpen(attempt)) this.#change({ kind: "checking" });
  }

  /** Takes note of a status, whoever tells it, in whatever order. */
  settle(attempt: Attempt, outcome: Outcome): void {
    const next = this.#next(attempt, outcome);
    if (next !== undefined) this.#change(next);
  }

  /** Calls a listener now and at every change; gives what ends it. */
  watch(listener: (view: OrderView) => void): () => void {
    this.#listeners.add(listener);
    listener(this.view());
    return () => this.#listeners.delete(listener);
  }

  #next(attempt: Attempt, { status, refusedReason, pix }: Outcome): Stored | undefined {
    switch (status) {
      // Money moved: true whenever it is heard, and of whichever attempt. Once it went back, its coming is old news.
      case "approved":
        attempt.money ??= "received";
        return this.#paid();
      case "refunded":
      case "chargedback":
        attempt.money = "returned";
        return this.#paid() ?? { kind: this.#state.kind === "chargedback" ? "chargedback" : status };
    }
    // The rest is about an attempt that is still open; late news of another one changes nothing.
    if (!this.#isOpen(attempt)) return undefined;
    switch (status) {
      case "refused":
        this.#refusals += 1;
        return { kind: "open", refusedReason: refusedReason ?? "unspecified" };
      case "expired":
      case "cancelled":
        return { kind: "open", ended: status };
      case "pending":
        return pix && { kind: "pix", ...pix };
      case "processing":
        return { kind: "processing" };
      case "unrecognized":
        return this.#state.kind === "paying" ? { kind: "checking" } : undefined;
    }
  }

  /** Paid as long as any attempt is: where two were, one may be given back. */
  #paid(): Stored | undefined {
    const attempt = this.attempts.find(({ money }) => money === "received");
    return attempt && { kind: "paid", method: attempt.method };
  }

  #isOpen(attempt: Attempt): boolean {
    const open: readonly OrderState["kind"][] = ["paying", "pix", "processing", "checking"];
    return attempt === this.attempts.at(-1) && open.includes(this.#state.kind);
  }

  #change(state: Stored): void {
    this.#state = state;
    this.#revision += 1;
    for (const listener of this.#listeners) listener(this.view());
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
    for (const order of this.#byId.values()) {
      const attempt = order.attempts.find((candidate) => candidate.externalRef === externalRef);
      if (attempt) return attempt;
    }
    return undefined;
  }
}
