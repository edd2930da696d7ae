/** What becomes of a payment with a card. */
export interface CardOutcome {
  /** Name of the course of events, one for each row of {@link TEST_CARDS} that is not `approved`. */
  readonly scenario: string;
  /** The status at creation. */
  readonly status: "approved" | "refused" | "processing";
  /** On a refusal only. Spec: "Transaction (`data`)", `refusedReason`; its values are not shown. */
  readonly refusedReason?: string;
  /** What the payment comes to after its creation, by itself. */
  readonly later?: LaterOutcome;
}

/** What a payment comes to after its creation, by itself. */
export interface LaterOutcome {
  /** The status that it comes to. */
  readonly status: "approved" | "refused" | "chargedback";
  /** Milliseconds after the creation, by the gateway's clock. */
  readonly afterMs: number;
  /** On a refusal only. */
  readonly refusedReason?: string;
}

/** A card number and the outcome that it chooses. */
export interface TestCard extends CardOutcome {
  /** Digits only. */
  readonly number: string;
}

const approved: CardOutcome = { scenario: "approved", status: "approved" };

function refused(scenario: string, refusedReason: string): CardOutcome {
  return { scenario, status: "refused", refusedReason };
}

const EXPIRED_CARD = refused("expired_card", "Wrong data: the card has expired");

const PROCESSING_MS = 5_000;
const CHARGEBACK_MS = 10_000;

const approvedLater: CardOutcome = {
  scenario: "processing_then_approved",
  status: "processing",
  later: { status: "approved", afterMs: PROCESSING_MS },
};
const refusedLater: CardOutcome = {
  scenario: "processing_then_refused",
  status: "processing",
  later: { status: "refused", afterMs: PROCESSING_MS, refusedReason: "Refused by the anti-fraud rules" },
};
const chargedBack: CardOutcome = {
  scenario: "approved_then_charged_back",
  status: "approved",
  later: { status: "chargedback", afterMs: CHARGEBACK_MS },
};

/**
 * Card numbers that choose an outcome; **any other number is approved**. They are numbers that other
 * gateways publish for tests, with the outcome that they have there; where gateways disagree, as at Stripe.
 * None belongs to a person.
 *
 * Spec: "Moves that are stated": approval depends on available limit, correct data and anti-fraud rules.
 */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4111111111111111", ...approved },
  { number: "4242424242424242", ...approved },
  { number: "5555555555554444", ...approved },
  { number: "4024007153763191", ...approved }, // fails Luhn, and is published all the same
  { number: "4000000000000002", ...refused("not_authorized", "Not authorized by the card issuer") },
  { number: "4000000000009995", ...refused("insufficient_limit", "Insufficient limit") },
  { number: "4000000000000127", ...refused("wrong_cvv", "Wrong data: the security code does not match") },
  { number: "4000000000000069", ...EXPIRED_CARD },
  { number: "4100000000000019", ...refused("antifraud", "Refused by the anti-fraud rules") },
  { number: "4000000000009979", ...refused("stolen_card", "The card was reported stolen") },
  { number: "4000000000009987", ...refused("lost_card", "The card was reported lost") },
  { number: "4000000000006975", ...refused("too_often", "The card was used too often") },
  { number: "4000000000000119", ...refused("issuer_unavailable", "The card issuer did not answer") },
  { number: "4000000000003220", ...approvedLater },
  { number: "4000008400001629", ...refusedLater },
  { number: "4000000000000259", ...chargedBack },
];

/** A card outside the company's limits, whatever its number. Spec: "POST /api/v1/transactions", rule 4. */
export const OUTSIDE_LIMITS = refused("outside_limits", "Amount outside the limits of the company");

const outcomes: ReadonlyMap<string, CardOutcome> = new Map(
  TEST_CARDS.map(({ number, ...outcome }) => [number, outcome]),
);

/** What outcome a card has: by its date first, then by its number. */
export function outcomeOf(
  card: { readonly number: string; readonly expirationMonth: string; readonly expirationYear: string },
  now: number,
): CardOutcome {
  // Good to the end of its month, as printed on the card.
  const end = Date.UTC(Number(card.expirationYear), Number(card.expirationMonth), 1);
  return now >= end ? EXPIRED_CARD : (outcomes.get(card.number) ?? approved);
}
