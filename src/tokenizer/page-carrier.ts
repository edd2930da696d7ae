import type { Carrier } from "../http/platform.ts";
import { attemptsInTurn } from "./attempts-in-turn.ts";
import { explainInPage } from "./page-failure.ts";

/** From a buyer's page, with nothing but what a page has to load anyway. */
export const pageCarrier: Carrier = {
  attempts: attemptsInTurn,
  explain: explainInPage,
  keysHint: "Check that publicKey is that of the account at this base URL.",
};
