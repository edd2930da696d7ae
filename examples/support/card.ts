import { stdin } from "node:process";
import { text as readAll } from "node:stream/consumers";
import type { CardParams } from "payments-sdk";
import { parseExpiry } from "payments-sdk/browser";
import { TEST_CARDS } from "payments-sdk/sandbox";
import { ask, askSecretly, type Dialogue } from "./ask.ts";
import { check, Failure } from "./failure.ts";
import { choice, type FlagValues, toggle } from "./flags.ts";
import { customer } from "./order.ts";

const SCENARIOS = [...new Set(TEST_CARDS.map(({ scenario }) => scenario))];

/**
 * A card is never a flag: other users of a machine see the arguments of its processes, and a shell keeps them in its
 * history.
 */
export const CARD_FLAGS = {
  scenario: choice("<name>", SCENARIOS, "a test card, by what becomes of its payment (default: approved)"),
  "own-card": toggle("asks for a card, or reads one as JSON from standard input"),
};

export const CARD_NOTES = `The scenarios: ${SCENARIOS.join(", ")}.
A card is never a flag: others on this machine could read it. --own-card asks for it without showing it. Without a terminal it reads {"number", "holderName", "expirationMonth", "expirationYear", "cvv"}.`;

/** The card that the flags choose. */
export async function readCard(flags: FlagValues<typeof CARD_FLAGS>): Promise<CardParams> {
  if (!flags["own-card"]) return testCard(flags.scenario ?? "approved");
  check(flags.scenario === undefined, "Say either --scenario or --own-card.");
  return stdin.isTTY ? askForCard() : parseCard(await readAll(stdin));
}

function testCard(name: string): CardParams {
  const { number = "" } = TEST_CARDS.find(({ scenario }) => scenario === name) ?? {};
  const expirationYear = new Date().getFullYear() + 3;
  return { number, holderName: customer.name, expirationMonth: 12, expirationYear, cvv: "123" };
}

/** @throws {Failure} that does not repeat what was read. */
function parseCard(json: string): CardParams {
  try {
    return JSON.parse(json) as CardParams; // the SDK says which fields are wrong
  } catch {
    throw new Failure("Standard input is not the JSON of a card.");
  }
}

/** @throws {Failure} that does not repeat what was typed. */
export async function askForCard(dialogue?: Dialogue): Promise<CardParams> {
  const number = given(await askSecretly("Card number (not shown): ", dialogue));
  const holderName = given(await ask("Name on the card: ", dialogue));
  const expiry = parseExpiry(given(await ask("Valid until (MM/YY): ", dialogue)));
  if (expiry === undefined) throw new Failure("That is no date such as 03/29.");
  const cvv = given(await askSecretly("Security code (not shown): ", dialogue));
  return { number, holderName, ...expiry, cvv };
}

function given(answer: string | undefined): string {
  if (answer === undefined) throw new Failure("No card was given.");
  return answer;
}
