/**
 * Receives postbacks, and prints of each what it means.
 *
 *   npm run example postbacks                     the sandbox plays a few: paid, again, late, forged
 *   npm run example postbacks -- --port 3001      for a service, until Ctrl-C
 */
import { randomBytes } from "node:crypto";
import { formatBRL, PaymentsClient } from "payments-sdk";
import {
  createPostbackHandler,
  type Postback,
  PostbackUrlSigner,
  UntrustedPostbackError,
} from "payments-sdk/postbacks";
import { signerFromEnv } from "./postbacks/signer-from-env.ts";
import { example } from "./support/example.ts";
import { wholeNumber } from "./support/flags.ts";
import { customer } from "./support/order.ts";
import { listen } from "./support/receiver.ts";
import { row, statusText } from "./support/terminal.ts";

/** Each one comes twice, and the first status of a transaction comes after the second. */
const DIFFICULT = { onCreation: true, reorder: true, duplicates: 1 };

/** An older one is held back for 5 s at most. */
const TIMEOUT_MS = 10_000;

await example({
  name: "postbacks",
  summary: "Receives postbacks, and prints of each what can be believed and what it means for its order.",
  flags: {
    port: wholeNumber("<port>", "where it listens (default: any that is free)", [0, 65_535]),
  },
  notes: `PAYMENTS_POSTBACK_SECRET verifies their URLs: the one that \`card\` and \`pix\` sign their --postback-url with. It listens until Ctrl-C; the sandbox of its own plays a few and ends.\nWith --json each postback is a line, for \`reconcile --postbacks\`.`,
  async run({ flags, connect, tell, say, onEnd, untilInterrupted }) {
    const service = await connect({ postbacks: DIFFICULT });
    const { baseUrl, secretKey, publicKey, gateway } = service;
    const signer = gateway
      ? new PostbackUrlSigner({ keys: [{ kid: "1", secret: randomBytes(32) }] })
      : signerFromEnv();

    const handler = createPostbackHandler({
      signer,
      onPostback(postback, { trust, transition, amountMatches }) {
        // Here a shop does what the status asks for, where `transition` is "advance".
        tell({ result: "handled", trust, transition, amountMatches, postback }, () => {
          row("Handled", `${textOf(postback)}: ${trust}, ${transition}`);
        });
      },
      onEvent(event) {
        if (event.type === "duplicate") {
          const { type: result, postback } = event;
          tell({ result, postback }, () => row("Again", `${textOf(postback)}: nothing ran`));
        } else if (event.type === "refused") {
          const { type: result, status: answer, error } = event;
          const reason = error instanceof UntrustedPostbackError ? error.reason : "unreadable";
          tell({ result, answer, reason }, () => row("Refused", `answered with ${answer}: ${reason}`));
        }
      },
    });
    const receiver = await listen(handler, flags.port);
    onEnd(() => receiver.close());
    say(`  Listens at   ${receiver.url}\n`);
    if (gateway === undefined) return untilInterrupted();

    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey },
      postbackUrl: receiver.url,
      postbackSigner: signer,
    });
    const externalRef = "order-1";
    const pix = await payments.transactions.createPix({ amount: 1990, customer, externalRef });
    gateway.pay(pix.id); // comes twice, and before the older one
    await handler.waitFor(externalRef, { status: "pending", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await gateway.settled();

    // Anybody can post to an address; nobody else can sign it.
    const forged = JSON.stringify({ id: pix.id, status: "approved", externalRef: "order-2", amount: 1990 });
    await fetch(receiver.url, { method: "POST", body: forged });
  },
});

function textOf({ externalRef = "no reference", status, amount }: Postback): string {
  return `${externalRef} ${statusText(status)}, ${formatBRL(amount)}`;
}
