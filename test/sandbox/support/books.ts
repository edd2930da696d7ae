import type { MoveName } from "payments-sdk/sandbox";

type Method = "pix" | "card";

/** What becomes of a move, from each status that it starts from. */
const TO: Readonly<Record<MoveName, Readonly<Record<string, string>>>> = {
  pay: { "pix pending": "approved", "card processing": "approved" },
  expire: { "pix pending": "expired" },
  cancel: { "pix pending": "cancelled", "card processing": "cancelled" },
  refund: { "pix approved": "refunded", "card approved": "refunded" },
  chargeback: { "card approved": "chargedback" },
};

/** A transaction, as far as a merchant's books know it. */
export class Entry {
  readonly method: Method;
  readonly amount: number;
  readonly externalRef: string;
  readonly later: readonly [atMs: number, status: string] | undefined;
  status: string;
  paid: number;
  refunded = 0;
  /** When something happened to it last, and when it was paid: milliseconds. */
  touchedAt: number;
  paidAt: number;
  readonly posted: (readonly [status: string, atMs: number])[] = [];

  constructor(
    now: number,
    facts: Pick<Entry, "method" | "amount" | "externalRef" | "status">,
    later?: Entry["later"],
  ) {
    this.method = facts.method;
    this.amount = facts.amount;
    this.externalRef = facts.externalRef;
    this.status = facts.status;
    this.later = later;
    this.paid = facts.status === "approved" ? facts.amount : 0;
    this.touchedAt = now;
    this.paidAt = now;
  }

  become(status: string, at: number): void {
    if (status === "approved") {
      this.paid = this.amount;
      this.paidAt = at;
    }
    this.status = status;
    this.touchedAt = at;
    this.posted.push([status, at]);
  }

  /** @returns whether it makes sense. */
  move(name: MoveName, cents: number, now: number): boolean {
    const to = TO[name][`${this.method} ${this.status}`];
    if (to === undefined || (name === "refund" && cents > this.paid - this.refunded)) return false;
    if (name === "refund") this.refunded += cents;
    this.touchedAt = now;
    if (name !== "refund" || this.refunded === this.paid) this.become(to, now);
    return true;
  }

  /** What its scenario or its date brings, unless something else came before. */
  pass(before: number, now: number): void {
    const [at, status] = this.later ?? [];
    if (at === undefined || status === undefined || at <= before || at > now) return;
    const from = {
      expired: "pending",
      approved: "processing",
      refused: "processing",
      chargedback: "approved",
    };
    if (from[status as keyof typeof from] === this.status) this.become(status, at);
  }

  get counts(): boolean {
    return this.paid > 0 || ["pending", "processing"].includes(this.status);
  }

  get kept(): number {
    return this.status === "chargedback" ? 0 : this.paid - this.refunded;
  }
}
