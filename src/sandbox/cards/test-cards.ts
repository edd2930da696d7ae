/** The outcome of a payment with a card. */
export interface CardOutcome {
  /** Name of the scenario. Each row of {@link TEST_CARDS} has its own, except those that are approved. */
  readonly scenario: string;
  /** The status at creation. */
  readonly status: "approved" | "refused" | "processing" | "pending";
  /** Only if the payment is refused. Spec: "Transaction (`data`)", `refusedReason`; its values are not shown. */
  readonly refusedReason?: string;
  /** A change of status that happens automatically after the creation. */
  readonly later?: LaterOutcome;
}

/** A change of status that happens automatically after the creation. */
export interface LaterOutcome {
  /** The new status. */
  readonly status: "approved" | "refused" | "chargedback";
  /** Milliseconds after the creation, by the gateway's clock. */
  readonly afterMs: number;
  /** Only if the payment is refused. */
  readonly refusedReason?: string;
}

/** A card number that selects an outcome. */
export interface TestCard extends CardOutcome {
  /** Digits only. */
  readonly number: string;
}

/** Also the reason of a refused pix. */
export const ANTIFRAUD_REASON = "Refused by the anti-fraud rules";
/** Also the reason of a refused pix. */
export const OUTSIDE_LIMITS_REASON = "Amount outside the limits of the company";

const approved: CardOutcome = { scenario: "approved", status: "approved" };

function refused(scenario: string, refusedReason: string): CardOutcome {
  return { scenario, status: "refused", refusedReason };
}

const EXPIRED_CARD = refused("expired_card", "Wrong data: the card has expired");

const PROCESSING_MS = 5_000;

const approvedLater: CardOutcome = {
  scenario: "processing_then_approved",
  status: "processing",
  later: { status: "approved", afterMs: PROCESSING_MS },
};
const refusedLater: CardOutcome = {
  scenario: "processing_then_refused",
  status: "processing",
  later: { status: "refused", afterMs: PROCESSING_MS, refusedReason: ANTIFRAUD_REASON },
};
const chargedBack: CardOutcome = {
  scenario: "approved_then_charged_back",
  status: "approved",
  later: { status: "chargedback", afterMs: 10_000 },
};

/**
 * Card numbers that select an outcome; **any other number is approved**. Other gateways publish these numbers
 * for tests with the same outcome; if gateways disagree, the outcome is Stripe's. None belongs to a person.
 *
 * Spec: "Moves that are stated": approval depends on available limit, correct data and anti-fraud rules.
 */
export const TEST_CARDS: readonly TestCard[] = [
  { number: "4111111111111111", ...approved },
  { number: "4242424242424242", ...approved },
  { number: "5555555555554444", ...approved },
  { number: "4024007153763191", ...approved }, // published, although it fails the Luhn check
  { number: "4000000000000002", ...refused("not_authorized", "Not authorized by the card issuer") },
  { number: "4000000000009995", ...refused("insufficient_limit", "Insufficient limit") },
  { number: "4000000000000127", ...refused("wrong_cvv", "Wrong data: the security code does not match") },
  { number: "4000000000000069", ...EXPIRED_CARD },
  { number: "4100000000000019", ...refused("antifraud", ANTIFRAUD_REASON) },
  { number: "4000000000009979", ...refused("stolen_card", "The card was reported stolen") },
  { number: "4000000000009987", ...refused("lost_card", "The card was reported lost") },
  { number: "4000000000006975", ...refused("too_often", "The card was used too often") },
  { number: "4000000000000119", ...refused("issuer_unavailable", "The card issuer did not answer") },
  { number: "4000000000003220", ...approvedLater },
  { number: "4000008400001629", ...refusedLater },
  { number: "4000000000000259", ...chargedBack },
  { number: "4000000000009235", scenario: "pending", status: "pending" }, // Stripe: approved, but has to be reviewed
];

/** An amount outside the company's limits, with any card. Spec: "POST /api/v1/transactions", rule 4. */
export const OUTSIDE_LIMITS = refused("outside_limits", OUTSIDE_LIMITS_REASON);

const outcomes: ReadonlyMap<string, CardOutcome> = new Map(
  TEST_CARDS.map(({ number, ...outcome }) => [number, outcome]),
);

/** The fields of a tokenization request that decide the outcome. */
export type Card = Readonly<Record<"number" | "expirationMonth" | "expirationYear", string>>;

/** The outcome of a card. The expiration date decides first, then the number. */
export function findOutcome(card: Card, now: number): CardOutcome {
  // A card is valid until the end of the printed month.
  const end = Date.UTC(Number(card.expirationYear), Number(card.expirationMonth), 1);
  return now >= end ? EXPIRED_CARD : (outcomes.get(card.number) ?? approved);
}
