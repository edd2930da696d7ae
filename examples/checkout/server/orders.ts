import { randomUUID } from "node:crypto";
import type { InstallmentOption, TransactionStatus } from "payments-sdk";
import type { Buyer, FailedAttempt, OrderState, OrderView, Payment, PixCode } from "../shared/order-view.ts";

/** What the shop sells. The price is only on the server, so a page cannot change it. */
export const PRODUCT = { title: "Camiseta Ipê", unitPrice: 9_000, quantity: 1, tangible: true };

/** One attempt to pay an order. */
export interface Attempt {
  readonly order: Order;
  readonly method: "card" | "pix";
  /** Its reference at the service. Postbacks are matched by it. */
  readonly externalRef: string;
  readonly installments?: InstallmentOption;
  /** When it began, or later when it was paid or refunded. ISO 8601. */
  at: string;
  transactionId?: number;
  /** Whether its request failed, so that no one has seen its pix code. */
  hasFailed?: boolean;
  /** Whether its pix was lost and created again: two transactions then have its reference. */
  isReplaced?: boolean;
  /** Whether its card may still be charged: there is no result yet, or the result is unknown. */
  isUndecided?: boolean;
  /** URL at which the buyer can continue the pending card payment. */
  confirmUrl?: string;
  /** The code that the buyer can still pay. */
  pix?: PixCode;
}

/** The status of an attempt, from a response or a postback. */
export interface Outcome {
  readonly transactionId: number;
  readonly status: TransactionStatus;
  readonly pix?: PixCode;
  /** URL at which the buyer can continue a pending card payment. */
  readonly confirmUrl?: string;
}

/** In these states, changing the method begins another attempt. The earlier one stays, because it may still be paid. */
const CHANGEABLE: Readonly<Record<Attempt["method"], readonly OrderState["kind"][]>> = {
  card: ["pix"],
  pix: ["checking", "confirming"],
};

const UNDECIDED: readonly TransactionStatus[] = ["pending", "processing", "unrecognized"];

/**
 * An order: at most one attempt to pay it is open at a time, so that no one is charged twice.
 *
 * Only the buyer can begin another one, by changing the method, and never with a second card while the first is
 * undecided. If both are paid, `isPaidTwice` is true.
 */
export class Order {
  readonly id = randomUUID();
  /** Short, for people. Does not give access to the order. */
  readonly number = this.id.slice(0, 8).toUpperCase();
  readonly item: Readonly<typeof PRODUCT>;
  readonly amount: number;
  readonly attempts: Attempt[] = [];
  buyer?: Buyer;
  /** How many cards were refused. */
  refusals = 0;
  /** Whether its goods were released. They are not released again, whatever follows. */
  isShipped = false;
  /** The transactions that were paid and not refunded. An attempt has two if its lost pix was created again. */
  readonly #received = new Map<number, Attempt>();
  readonly #returned = new Set<number>();
  /** The attempt that the state belongs to. */
  #current: Attempt | undefined;
  #state: OrderState = { kind: "open" };
  #revision = 0;

  constructor(unitPrice = PRODUCT.unitPrice) {
    this.item = { ...PRODUCT, unitPrice };
    this.amount = unitPrice * PRODUCT.quantity;
  }

  get kind(): OrderState["kind"] {
    return this.#state.kind;
  }

  view(): OrderView {
    const { id, number, amount } = this;
    const email = this.buyer && { email: masked(this.buyer.email) };
    const isCardUndecided = this.undecidedCard !== undefined;
    return { id, number, amount, revision: this.#revision, state: this.#state, ...email, isCardUndecided };
  }

  /** Whether two transactions were paid: one has to be refunded. */
  get isPaidTwice(): boolean {
    return this.#received.size > 1;
  }

  /** The card attempt that may still be charged. There is at most one. */
  get undecidedCard(): Attempt | undefined {
    return this.attempts.find(({ isUndecided }) => isUndecided);
  }

  /**
   * Claims the order for one attempt. `undefined` if it is already claimed or paid, or has changed since the buyer saw
   * it: browsers repeat a request after a broken connection, and requests can arrive late.
   *
   * A pix that the buyer can still pay is shown again instead: {@link kind} is then `pix`.
   */
  begin(method: Attempt["method"], revision: number, installments?: InstallmentOption): Attempt | undefined {
    if (revision !== this.#revision || !this.#canBegin(method)) return undefined;
    const shown = method === "pix" ? this.attempts.findLast(isPayable) : undefined;
    this.#current = shown ?? this.#lostPix(method) ?? this.#addAttempt(method, installments);
    this.#change(shown?.pix ? { kind: "pix", ...shown.pix } : { kind: "paying" });
    return this.#current;
  }

  #canBegin(method: Attempt["method"]): boolean {
    if (method === "card" && this.undecidedCard !== undefined) return false;
    if (this.kind === "open" || CHANGEABLE[method].includes(this.kind)) return true;
    return this.kind === "pix" && !this.attempts.some(isPayable); // expired, but the postback has not arrived yet
  }

  /** A failed pix keeps its reference, so that the client's store knows all its transactions. */
  #lostPix(method: Attempt["method"]): Attempt | undefined {
    const last = this.attempts.at(-1);
    if (method !== "pix" || last?.method !== "pix" || !last.hasFailed) return undefined;
    return Object.assign(last, { hasFailed: false, isReplaced: true });
  }

  #addAttempt(method: Attempt["method"], installments?: InstallmentOption): Attempt {
    const externalRef = `${this.id}-${this.attempts.length + 1}`;
    const card = method === "card" ? { isUndecided: true, ...(installments && { installments }) } : {};
    const attempt: Attempt = { order: this, method, externalRef, at: new Date().toISOString(), ...card };
    this.attempts.push(attempt);
    return attempt;
  }

  /** Another attempt may begin: this one charged no one, or it is a pix whose code was `lost`. */
  release(attempt: Attempt, status?: "lost"): void {
    attempt.hasFailed = true;
    end(attempt);
    const why = status && { ended: { method: attempt.method, status } };
    if (this.#isOpen(attempt)) this.#change(this.#openAgain(why));
  }

  /** It is unknown whether the attempt charged the buyer: wait for its postback. */
  holdUntilPostback(attempt: Attempt): void {
    if (this.#isOpen(attempt)) this.#change(waitingState(attempt));
  }

  /** Applies a status from a response or a postback, in any order. */
  settle(attempt: Attempt, outcome: Outcome): void {
    const wasUndecided = attempt.isUndecided;
    if (!UNDECIDED.includes(outcome.status)) end(attempt);
    if (outcome.status === "refused" && wasUndecided) this.refusals += 1;
    const next = this.#next(attempt, outcome);
    if (next !== undefined) this.#change(next);
    // The page no longer has to warn about that card.
    else if (wasUndecided && !attempt.isUndecided) this.#change(this.#state);
  }

  #next(attempt: Attempt, outcome: Outcome): OrderState | undefined {
    const { status } = outcome;
    const isReturned = status === "refunded" || status === "chargedback";
    // A payment or a refund always counts, late or not, for any attempt.
    if (status === "approved" || isReturned) this.#moveMoney(attempt, outcome.transactionId, isReturned);
    const [paid] = this.#received.values();
    if (paid) return { kind: "paid", payment: paymentOf(paid), isTwice: this.isPaidTwice };
    if (isReturned) {
      return { kind: this.kind === "chargedback" ? "chargedback" : status, payment: paymentOf(attempt) };
    }
    // Other statuses count only for the open attempt; late ones of other attempts are ignored.
    return this.#isOpen(attempt) ? this.#nextOfOpen(attempt, outcome) : undefined;
  }

  #moveMoney(attempt: Attempt, id: number, isReturned: boolean): void {
    if (this.#returned.has(id) || (this.#received.has(id) && !isReturned)) return; // late: it was refunded already
    attempt.at = new Date().toISOString();
    this.#received.delete(id);
    if (isReturned) this.#returned.add(id);
    else this.#received.set(id, attempt);
  }

  #nextOfOpen(attempt: Attempt, { status, pix, confirmUrl }: Outcome): OrderState | undefined {
    const payment = paymentOf(attempt);
    switch (status) {
      case "refused":
      case "expired":
      case "cancelled":
        return this.#openAgain({ ended: { method: attempt.method, status } });
      case "pending":
        if (confirmUrl !== undefined) attempt.confirmUrl = confirmUrl;
        if (pix !== undefined) attempt.pix = pix;
        if (pix === undefined) return confirmUrl === undefined ? undefined : waitingState(attempt);
        return { kind: "pix", ...pix };
      case "processing":
        return { kind: "processing", payment };
      default:
        return this.kind === "paying" ? waitingState(attempt) : undefined;
    }
  }

  /** The order can be paid again, unless the card of an earlier attempt may still be charged. */
  #openAgain(why: { ended?: FailedAttempt } = {}): OrderState {
    const card = this.undecidedCard;
    if (card === undefined) return { kind: "open", ...why };
    this.#current = card;
    return waitingState(card);
  }

  #isOpen(attempt: Attempt): boolean {
    const isBusy = ["paying", "pix", "processing", "confirming", "checking"].includes(this.kind);
    return attempt === this.#current && isBusy;
  }

  #change(state: OrderState): void {
    this.#state = state;
    this.#revision += 1;
  }
}

function isPayable({ pix }: Attempt): boolean {
  return pix !== undefined && (pix.expiresAt === undefined || Date.parse(pix.expiresAt) > Date.now());
}

/** Ends an attempt: neither its card nor its code can be charged any more. */
function end(attempt: Attempt): void {
  delete attempt.isUndecided;
  delete attempt.pix;
}

/** The state of an order whose attempt may still be charged. */
function waitingState(attempt: Attempt): OrderState {
  const payment = paymentOf(attempt);
  const { confirmUrl: url } = attempt;
  return url === undefined ? { kind: "checking", payment } : { kind: "confirming", payment, url };
}

/** `m•••@example.com`. */
const masked = (email: string): string => `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf("@"))}`;

function paymentOf({ method, installments, at }: Attempt): Payment {
  return { method, at, ...(installments !== undefined && { installments }) };
}

/** The shop's orders, in memory. A real shop keeps them in a database, where `begin` is one atomic update. */
export class Orders {
  readonly #byId = new Map<string, Order>();

  create(unitPrice?: number): Order {
    const order = new Order(unitPrice);
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
