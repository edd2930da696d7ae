import { attemptOnce } from "../http/attempt-once.ts";
import type { Attempts } from "../http/attempts.ts";
import { onceByPlatform } from "../http/body-read-once.ts";
import { explainFailure } from "../http/explain-failure.ts";
import type { Carrier } from "../http/platform.ts";

/** From a server: what may be repeated goes by ky. */
export const serverCarrier: Carrier = {
  attempts: (rules, attempt) =>
    rules.retries === 0 ? attemptOnce(rules, attempt) : attemptsOfKy(rules, attempt),
  explain: (error, { redactor }) => explainFailure(error, redactor),
  once: onceByPlatform,
  keysHint:
    "The secret key (sk_) is the user name and the public key (pk_) the password of Basic authentication: check that " +
    "secretKey and publicKey are not mixed up and that both belong to the account at this base URL.",
};

/** Loading ky loads the platform's fetch, too: half of a start-up, for what a create never needs. */
const attemptsOfKy: Attempts = async (rules, attempt) => {
  const { attemptsByKy } = await import("../http/attempts-by-ky.ts");
  return attemptsByKy(rules, attempt);
};
