/**
 * A pix with its QR code in the terminal.
 *
 *   npm run example pix
 *   npm run example pix -- --amount 249,90 --watch     waits until it is paid
 */
import { formatBRL, PaymentsClient, type PixTransaction } from "payments-sdk";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { Hearing, problemWith } from "./pix/wait-for-end.ts";
import { example } from "./support/example.ts";
import { check, Failure } from "./support/failure.ts";
import { money, text, toggle, wholeNumber } from "./support/flags.ts";
import { customer, newReference } from "./support/order.ts";
import { POSTBACK_FLAGS, POSTBACK_NOTES, postbacksTo, signerOf } from "./support/postback-url.ts";
import { showProgress } from "./support/progress.ts";
import { listen } from "./support/receiver.ts";
import { row, shown, statusText } from "./support/terminal.ts";
import { showPix } from "./support/transactions.ts";

const USUAL_WAIT_S = 600;

await example({
  name: "pix",
  summary: "A pix with its QR code in the terminal; with --watch until it is paid.",
  flags: {
    amount: money("19,90", "what it costs"),
    ref: text("<reference>", "your own name of the order (default: a new one)"),
    "expires-in-days": wholeNumber(
      "<days>",
      "how long it can be paid; the service takes 30 at most (default: 1)",
      [1, 365],
    ),
    watch: toggle("waits for the postback that says how it ended: 0 where it was paid, 1 where not"),
    timeout: wholeNumber("<seconds>", `how long --watch waits (default: ${USUAL_WAIT_S})`, [1, 2_000_000]),
    port: wholeNumber("<port>", "where --watch listens (default: any that is free)", [0, 65_535]),
    ...POSTBACK_FLAGS,
  },
  charges: true,
  notes: `${POSTBACK_NOTES} With --watch it must lead to this machine's --port.\nWith --json --watch prints two lines: the transaction, and its last postback.`,
  async run({ flags, connect, mayCharge, announce, tell, say, onEnd, isJson }) {
    const { amount, ref: externalRef = newReference(), timeout = USUAL_WAIT_S } = flags;
    const postbackUrl = flags["postback-url"];
    check(
      !flags.watch || postbackUrl === undefined || flags.port !== undefined,
      "--port is missing: where on this machine does the --postback-url lead?",
    );
    const service = await connect();
    const { baseUrl, secretKey, publicKey, isSandbox } = service;

    // The only way to learn that a pix was paid: a postback, to a URL that is signed for this order.
    const postbackSigner = signerOf(service);
    const hearing = new Hearing();
    const handler = createPostbackHandler({
      signer: postbackSigner,
      onPostback: (postback) => hearing.hear(postback),
    });
    const receiver = flags.watch ? await listen(handler, flags.port) : undefined;
    onEnd(() => receiver?.close());
    const own = receiver && { postbackUrl: receiver.url, postbackSigner };
    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey },
      ...postbacksTo(service, postbackUrl, own),
    });
    if (!(await mayCharge(service, `A pix of ${formatBRL(amount)} would be created.`))) {
      return say("\nNothing was created.");
    }

    announce(externalRef);
    const pix = await payments.transactions.createPix({
      amount,
      customer,
      externalRef,
      pix: { expiresInDays: flags["expires-in-days"] },
    });
    tell(pix, showPix);
    if (!flags.watch) return;

    if (isSandbox) say(waysToPay(baseUrl, pix));
    const endProgress = isJson ? () => undefined : showProgress("Waiting for the payment.");
    const end = await hearing.endOf(pix.id, timeout * 1_000);
    endProgress();

    const until = pix.pix.expirationDate ?? "its end";
    if (!end) throw new Failure(`No word came within ${timeout} s. It may still be paid until ${until}.`);
    tell(end, ({ status, transactionDate = "at some time" }) => {
      row("Status", `${statusText(status)}, ${transactionDate}`);
    });
    const problem = problemWith(end, amount);
    if (problem !== undefined) throw new Failure(problem);
  },
});

function waysToPay(baseUrl: string, { id, secureUrl }: PixTransaction): string {
  return `
  Pay it on ${shown(secureUrl ?? "the dashboard")}, or with
  curl -X POST ${baseUrl}/sandbox/transactions/${id}/pay
`;
}
