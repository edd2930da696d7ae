import type { Finding } from "payments-sdk/idempotency";
import { check } from "./support/failure.ts";
import { choice, type FlagValues, text, toggle, wholeNumber } from "./support/flags.ts";
import { STORE_FLAGS, type StoreChoice, storeChoice } from "./support/open-store.ts";
import { STATUSES } from "./support/statuses.ts";

export type Command =
  | { readonly name: "show" }
  | { readonly name: "list"; readonly store: StoreChoice; readonly olderThanMs: number }
  | {
      readonly name: "resolve";
      readonly store: StoreChoice;
      readonly externalRef: string;
      readonly finding: Finding;
    };

const MINUTE_IN_MS = 60_000;

export const FLAGS = {
  "older-than": wholeNumber(
    "<minutes>",
    "of `list`: leaves out what somebody has heard of since (default: 0)",
    [0, 99_999_999],
  ),
  attempt: text("<number>", "the one that you looked at, as listed: by now there may be another"),
  "not-charged": toggle("there is no transaction for it: the next create is sent"),
  transaction: text("<id>", "there is this one"),
  status: choice("<status>", STATUSES, `of the transaction: ${STATUSES.join(", ")}`),
  ...STORE_FLAGS,
};

export const COMMANDS = [
  ["(no command)", "shows how it comes to that, on a sandbox of its own"],
  ["list", "what is unresolved"],
  [
    "resolve <reference>",
    "records what a person found: --attempt, and --not-charged or --transaction and --status",
  ],
] as const;

type Values = FlagValues<typeof FLAGS>;

/** @throws {UsageError} */
export function readCommand(words: readonly string[], values: Values): Command {
  const [name, externalRef, ...rest] = words;
  const isBare = Object.values(values).every((value) => value === undefined || value === false);
  if (name === undefined && isBare) return { name: "show" };
  check(name === "list" || name === "resolve", "Say list or resolve.");
  check(rest.length === 0 && (name === "resolve" || externalRef === undefined), "That is one word too many.");

  const store = storeChoice(values);
  check(store, "Which store? Say --store, or set PAYMENTS_STORE.");
  if (name === "list") return { name, store, olderThanMs: (values["older-than"] ?? 0) * MINUTE_IN_MS };
  check(externalRef, "Which order? Say its externalRef.");
  return { name: "resolve", store, externalRef, finding: findingIn(values) };
}

function findingIn({ attempt: nth = "", "not-charged": isNotCharged, transaction, status }: Values): Finding {
  const isNamed = transaction !== undefined || status !== undefined;
  check(isNamed !== isNotCharged, "Say either --not-charged, or --transaction and --status.");
  check(/^[1-9]\d{0,5}$/.test(nth), "Which attempt? Say --attempt, as `list` shows it.");
  const attempt = Number(nth);
  if (isNotCharged) return { charged: false, attempt };
  check(status, "Which --status has it?");
  check(transaction && /^[1-9]\d*$/.test(transaction), "--transaction must be the id, a whole number.");
  return { transactionId: transaction, status, attempt };
}
