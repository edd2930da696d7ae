/**
 * Compares a shop's orders with what is known of their payments.
 *
 *   npm run example reconcile                     a bad day, made up on a sandbox
 *   npm run example reconcile -- --orders orders.csv --postbacks postbacks.jsonl --store payments.db
 */
import { formatBRL, PaymentsClient, toCents } from "payments-sdk";
import type { Postback } from "payments-sdk/postbacks";
import { compare, type Finding } from "./reconcile/compare.ts";
import { type Evidence, makeUpABadDay } from "./reconcile/made-up.ts";
import { readPostbacks } from "./reconcile/read-files.ts";
import { readOrders } from "./reconcile/read-orders.ts";
import { namedService, type Service } from "./support/service.ts";
import { unresolvedIn } from "./unresolved/list-and-resolve.ts";
import { example } from "./unresolved/support/example.ts";
import { check, Failure } from "./unresolved/support/failure.ts";
import { text } from "./unresolved/support/flags.ts";
import { openStore, STORE_FLAGS, storeChoice } from "./unresolved/support/open-store.ts";
import { row, statusText, table } from "./unresolved/support/terminal.ts";

await example({
  name: "reconcile",
  summary:
    "Compares the orders of a shop with what is known of their payments: what is paid, unresolved, or missing.",
  flags: {
    orders: text(
      "<file>",
      "your orders: JSON or CSV with externalRef, amount in cents, status (as you know it), and transactionId (of that status); the last two may be missing or empty",
    ),
    postbacks: text(
      "<file>",
      "what `npm run -s example postbacks` has printed; unsigned ones count for nothing",
    ),
    ...STORE_FLAGS,
    seller: text("<id>", "whose revenue is compared (default: of all together)"),
  },
  where:
    "PAYMENTS_BASE_URL, PAYMENTS_SECRET_KEY and PAYMENTS_PUBLIC_KEY name the service that is asked for the revenue. Without --orders a bad day is made up on a sandbox of its own.",
  notes: `The service has no way to look a transaction up. So the orders are compared with signed postbacks and with the store of \`idempotency\`, and their sum with the revenue of the month. \n\nunresolved: a create got no answer. missing: nobody has heard of it. look: what was heard does not say whether it is paid; a line tells why.\n\nWhere more was earned than is known, look into the dashboard for what is unresolved, missing, or to look at. Whether fees are taken off the revenue, the specification does not say.`,
  async run({ flags, tell, say, onEnd }) {
    const { orders, postbacks, store, payments } =
      flags.orders === undefined ? await madeUp() : await given(flags.orders);

    const unresolved = store ? await unresolvedIn(store) : [];
    const found = compare(orders, postbacks, unresolved);
    const references = new Set(orders.map(({ externalRef }) => externalRef));
    const strangers = postbacks.filter(({ externalRef = "" }) => !references.has(externalRef));
    const paidInCents = found.reduce((sum, { paid }) => sum + paid, 0);
    const earnedInCents = payments ? await earnedThisMonth(payments, flags.seller) : null;

    tell({ orders: found, strangers, paidInCents, earnedInCents }, (all) => {
      show(all);
      if (payments) showRevenue(all);
    });

    function madeUp(): Promise<Evidence> {
      check(flags.postbacks === undefined && flags.store === undefined, "Which orders? Say --orders.");
      say("  A bad day, made up on a sandbox of its own.\n");
      return makeUpABadDay(onEnd);
    }

    async function given(file: string): Promise<Evidence> {
      const read = { orders: readOrders(file), postbacks: readPostbacks(flags.postbacks) };
      const choice = storeChoice(flags);
      const opened = choice && (await openStore(choice));
      if (opened) onEnd(opened.close);
      const service = namedService();
      return { ...read, store: opened?.store, payments: service && clientOf(service) };
    }
  },
});

function clientOf({ baseUrl, secretKey, publicKey }: Service): PaymentsClient {
  return new PaymentsClient({ baseUrl, secretKey, publicKey });
}

/** Cents, of all sellers or of one; `null` where the service does not say. */
async function earnedThisMonth(payments: PaymentsClient, seller: string | undefined): Promise<number | null> {
  const revenues = await payments.sellers.revenue();
  const wanted = revenues.filter(({ seller_id: id }) => seller === undefined || id === seller);
  if (seller !== undefined && wanted.length === 0) {
    throw new Failure(`There is no seller with the id ${JSON.stringify(seller)}.`);
  }
  const months = wanted.flatMap(({ revenue }) => revenue.month ?? []);
  if (months.length === 0 || months.length < wanted.length) return null;
  return months.reduce((cents, month) => cents + toCents(month), 0);
}

interface Found {
  readonly orders: readonly Finding[];
  /** Postbacks of orders that the books do not have. */
  readonly strangers: readonly Postback[];
  readonly paidInCents: number;
  /** `null` where nobody was asked, or did not say. */
  readonly earnedInCents: number | null;
}

function show({ orders, strangers, paidInCents }: Found): void {
  table(
    ["order", "amount", "verdict", "paid"],
    orders.map(({ externalRef, amount, verdict, paid }) => [
      externalRef,
      formatBRL(amount),
      statusText(verdict),
      paid === 0 ? "" : formatBRL(paid),
    ]),
    [1, 3],
  );
  console.log();
  for (const { externalRef, why } of orders) {
    if (why !== undefined) row("Look", `${externalRef}: ${why}`);
  }
  for (const { id, status, externalRef } of strangers) {
    row("Not yours?", `transaction ${id}, ${status}, of ${externalRef ?? "no order"}`);
  }
  row("Paid", `${formatBRL(paidInCents)}, as far as anybody has heard`);
}

function showRevenue({ paidInCents, earnedInCents }: Found): void {
  if (earnedInCents === null) {
    row("Earned", "unknown: the service does not say");
  } else {
    row("Earned", `${formatBRL(earnedInCents)} in this month, says the service`);
    row("Difference", differenceOf(earnedInCents - paidInCents));
  }
}

function differenceOf(cents: number): string {
  if (cents === 0) return "none";
  const where =
    cents > 0
      ? "look for what is unresolved, missing, or to look at"
      : "were some of them paid in another month?";
  return `${formatBRL(cents)}: ${where}`;
}
