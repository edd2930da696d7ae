import type { Assumption } from "./assumption.ts";
import { answerAssumptions } from "./assumptions-of-answers.ts";
import { postbackAssumptions } from "./assumptions-of-postbacks.ts";
import { requestAssumptions } from "./assumptions-of-requests.ts";
import { serviceAssumptions } from "./assumptions-of-the-service.ts";

/**
 * Each silence and each contradiction of the specification, in the order in which a merchant meets them.
 * A page of the documentation is made from this list.
 */
export const assumptions: readonly Assumption[] = [
  ...serviceAssumptions,
  ...requestAssumptions,
  ...answerAssumptions,
  ...postbackAssumptions,
];
