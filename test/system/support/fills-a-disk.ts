import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { aPix } from "../runtimes/smoke/orders.ts";

/** The result of one order. The process prints one line for each. */
export interface Result {
  readonly externalRef: string;
  readonly outcome: string;
  /** Whether a request was sent for it. */
  readonly isSent: boolean;
  /** Codes and outcomes of the errors that events reported. */
  readonly events: readonly string[];
}

const [path = "", orders = ""] = process.argv.slice(2);
let isSent = false;
let events: string[] = [];

const payments = new PaymentsClient({
  baseUrl: "http://127.0.0.1:9",
  secretKey: "sk_test_1",
  publicKey: "pk_test_1",
  idempotency: sqliteStore(path),
  async fetch() {
    isSent = true;
    const pix = { qrcodeText: "0".repeat(20_000) }; // most likely its record no longer fits, but its claim does
    const data = { id: Date.now(), status: "pending", amount: 1990, paymentMethod: "pix", pix };
    return Response.json({ success: true, data }, { status: 201 });
  },
  onEvent(event) {
    if (event.type === "error") events.push(`${event.error.code} ${event.error.outcome}`);
  },
});

for (let number = 1; number <= Number(orders); number += 1) {
  isSent = false;
  events = [];
  const externalRef = `order-${number}`;
  const outcome = await payments.transactions.createPix(aPix(externalRef)).then(
    () => "created",
    ({ outcome }) => outcome,
  );
  const result: Result = { externalRef, outcome, isSent, events };
  console.log(JSON.stringify(result));
}
