import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";

/** What became of an order, one a line. */
export interface Told {
  readonly externalRef: string;
  readonly outcome: string;
  /** Whether a request left for it. */
  readonly isSent: boolean;
  /** The outcomes that events of a store that failed told. */
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
    const pix = { qrcodeText: "0".repeat(4_000) }; // a record of some size
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
  const customer = {
    name: "Maria Exemplo",
    email: "maria@example.com",
    document: { type: "cpf", number: "52998224725" },
  } as const;
  const outcome = await payments.transactions.createPix({ amount: 1990, customer, externalRef }).then(
    () => "created",
    ({ outcome }) => outcome,
  );
  const told: Told = { externalRef, outcome, isSent, events };
  console.log(JSON.stringify(told));
}
