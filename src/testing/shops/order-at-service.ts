import type { Gateway, SandboxStatus, SandboxTransaction } from "../../sandbox.ts";

/** Money was taken, even if it was returned later. */
const PAID: readonly SandboxStatus[] = ["approved", "refunded", "chargedback"];
/** Money was taken, or still may be. */
const OPEN: readonly SandboxStatus[] = ["pending", "processing", "approved"];

/** What the service knows of an order. It is found by its amount, because shops have references of their own. */
export class OrderAtService {
  readonly #gateway: Gateway;
  readonly #amount: number;
  readonly #amounts: ReadonlySet<number>;

  /** @param amounts - Cents, of all orders. */
  constructor(gateway: Gateway, amount: number, amounts: ReadonlySet<number>) {
    this.#gateway = gateway;
    this.#amount = amount;
    this.#amounts = amounts;
  }

  /** Oldest first. */
  get transactions(): readonly SandboxTransaction[] {
    return this.#gateway.transactions.filter(({ amount }) => amount === this.#amount);
  }

  get isPaid(): boolean {
    return this.transactions.some(({ status }) => PAID.includes(status));
  }

  /** The transactions that took money, or still may. */
  get open(): readonly SandboxTransaction[] {
    return this.transactions.filter(({ status }) => OPEN.includes(status));
  }

  /** The transactions that took money or, with a card, may take it without the customer. */
  get charges(): readonly SandboxTransaction[] {
    return this.transactions.filter(
      ({ status, paymentMethod }) =>
        PAID.includes(status) || (paymentMethod === "credit_card" && OPEN.includes(status)),
    );
  }

  /** `charged 1 and 1 unpaid pix`. */
  describe(): string {
    const codes = this.transactions.filter(({ status, pix }) => status === "pending" && pix !== undefined);
    const unpaid = codes.length === 0 ? "" : ` and ${codes.length} unpaid pix`;
    return `charged ${this.charges.length}${unpaid}`;
  }

  /** What else went wrong between the shop and the service, in sentences. Often it is the cause. */
  explain(): string {
    const { transactions, deliveries, requests } = this.#gateway;
    const wrong = transactions.find(({ amount }) => !this.#amounts.has(amount));
    const ids = new Set(this.transactions.map(({ id }) => id));
    const posted = deliveries.findLast(({ transactionId }) => ids.has(transactionId))?.attempts.at(-1);
    const invalid = requests.findLast(({ status }) => status === 400 || status === 401);
    return [
      wrong && `The service has a transaction over ${wrong.amount} cents, which no order has.`,
      posted?.error && `The last postback got no response: ${posted.error}.`,
      posted?.fault === undefined &&
        Number(posted?.status) >= 300 &&
        `The shop responded to the last postback with ${posted?.status}.`,
      invalid && `The service refused a request with ${invalid.status}: ${invalid.responseBody}`,
    ]
      .filter((sentence) => sentence)
      .map((sentence) => ` ${sentence}`)
      .join("");
  }
}
