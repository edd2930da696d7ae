import { EventEmitter, once } from "node:events";
import { formatBRL } from "payments-sdk";
import type { Postback } from "payments-sdk/postbacks";

/** Until one of them changes, a pix can still be paid. */
const OPEN: readonly string[] = ["pending", "processing"];

/** What is heard of a pix. A transaction cannot be looked up, and a postback may come before the create has answered. */
export class Hearing {
  readonly #heard: Postback[] = [];
  readonly #news = new EventEmitter();

  hear(postback: Postback): void {
    this.#heard.push(postback);
    this.#news.emit("postback");
  }

  /** The postback that says how the transaction ended; `undefined` where none came in time. */
  async endOf(id: number, timeoutMs: number): Promise<Postback | undefined> {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const end = this.#heard.find((postback) => postback.id === id && !OPEN.includes(postback.status));
      if (end !== undefined || signal.aborted) return end;
      await once(this.#news, "postback", { signal }).catch(() => undefined);
    }
  }
}

/** What keeps the order from being shipped; `undefined` where it was paid. */
export function problemWith({ status, rawStatus, amount }: Postback, due: number): string | undefined {
  switch (status) {
    case "approved":
      // The URL is signed for the order; what the postback says of the amount nobody has signed.
      return amount === due
        ? undefined
        : `The postback is of ${formatBRL(amount)}, and not of ${formatBRL(due)}: look it up in the dashboard.`;
    case "refused":
    case "expired":
    case "cancelled":
      return `The pix is ${status}: nobody was charged.`;
    case "refunded":
    case "chargedback":
      return `The pix is ${status}: it was paid, and the money went back.`;
    default:
      return `The pix is "${rawStatus}", which says neither that it was paid nor that it was not: look it up in the dashboard.`;
  }
}
