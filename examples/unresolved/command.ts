import { parseArgs } from "node:util";
import type { Finding } from "payments-sdk/idempotency";

interface InStore {
  /** A file of SQLite, or a URL of Redis or PostgreSQL. */
  readonly location: string;
  readonly namespace: string | undefined;
}

export type Command =
  | { readonly name: "show" }
  | { readonly name: "help" }
  | (InStore & { readonly name: "list"; readonly olderThanMs: number })
  | (InStore & { readonly name: "resolve"; readonly externalRef: string; readonly finding: Finding });

/** What the service's dashboard may say of a transaction. */
const STATUSES = [
  "pending",
  "processing",
  "approved",
  "refused",
  "cancelled",
  "expired",
  "refunded",
  "chargedback",
] as const;

const MINUTE_IN_MS = 60_000;

export const USAGE = `Payments of which nobody knows what became of them.

Usage: npm run example unresolved [-- <command>]

  (no command)                                         shows how it comes to that, on the embedded sandbox
  list [--older-than <minutes>]                        what is unresolved
  resolve <externalRef> --attempt <n> --not-charged    there is no transaction for it: the next create is sent
  resolve <externalRef> --attempt <n> --transaction <id> --status <status>
                                                       there is this one; the status is one of
                                                       ${STATUSES.slice(0, 4).join(", ")},
                                                       ${STATUSES.slice(4).join(", ")}

  --attempt <n>        the attempt that you looked at, as listed: by now there may be another one
  --store <store>      a SQLite file, redis://... or postgres://...; default: PAYMENTS_STORE
  --namespace <name>   where the store has one
  --help               this text

Look into the dashboard of the service before you say --not-charged: a customer may pay twice otherwise.
`;

/** @throws {Error} with a message for whoever typed it. */
export function readCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      store: { type: "string" },
      namespace: { type: "string" },
      "older-than": { type: "string" },
      attempt: { type: "string" },
      "not-charged": { type: "boolean" },
      transaction: { type: "string" },
      status: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const [name, externalRef, ...rest] = positionals;
  if (values.help) return { name: "help" };
  if (name === undefined && args.length === 0) return { name: "show" };
  check(name === "list" || name === "resolve", "Say list or resolve.");
  check(rest.length === 0 && (name === "resolve" || externalRef === undefined), "That is one word too many.");

  const location = values.store ?? env["PAYMENTS_STORE"];
  check(location, "Which store? Say --store, or set PAYMENTS_STORE.");
  const store = { location, namespace: values.namespace };
  if (name === "list") return { ...store, name, olderThanMs: minutesIn(values["older-than"] ?? "0") };
  check(externalRef, "Which order? Say its externalRef.");
  return { ...store, name: "resolve", externalRef, finding: findingIn(values) };
}

function minutesIn(text: string): number {
  const minutes = Number(text);
  check(text.trim() !== "" && minutes >= 0, "--older-than must be a number of minutes.");
  return minutes * MINUTE_IN_MS;
}

interface FindingFlags {
  attempt?: string;
  "not-charged"?: boolean;
  transaction?: string;
  status?: string;
}

function findingIn({
  attempt: nth = "",
  "not-charged": isNotCharged,
  transaction,
  status,
}: FindingFlags): Finding {
  const isNamed = transaction !== undefined || status !== undefined;
  check(isNamed !== (isNotCharged === true), "Say either --not-charged, or --transaction and --status.");
  check(/^[1-9]\d{0,5}$/.test(nth), "Which attempt? Say --attempt, as `list` shows it.");
  const attempt = Number(nth);
  if (isNotCharged) return { charged: false, attempt };
  const known = STATUSES.find((one) => one === status);
  check(known, `--status must be one of ${STATUSES.join(", ")}.`);
  check(transaction && /^[1-9]\d*$/.test(transaction), "--transaction must be the id, a whole number.");
  return { transactionId: transaction, status: known, attempt };
}

function check(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
