// The process of a merchant that creates one order and is killed at a given moment.
import { isPaymentsError, PaymentsClient } from "payments-sdk";
import type { IdempotencyStore } from "payments-sdk/idempotency";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { aPix } from "../../test/system/runtimes/smoke/orders.ts";
import { SIGNING_KEYS } from "../../test/system/support/chance.ts";
import { type DatabaseAddress, openStore } from "./databases.ts";
import { die, dieDuring, print } from "./die.ts";
import { LEASE_MS, type Moment } from "./plan.ts";

/** The one argument of this process, as JSON. */
export interface MerchantSettings {
  /** Identify the process to the service. */
  readonly headers: Readonly<Record<string, string>>;
  readonly account: Readonly<Record<"baseUrl" | "secretKey" | "publicKey" | "postbackUrl", string>>;
  readonly externalRef: string;
  readonly amount: number;
  /** Without one nothing prevents a second charge. */
  readonly database: DatabaseAddress | undefined;
  readonly moment: Moment;
}

/** Longer than any response takes here, even on a busy machine. */
const TIMEOUT_MS = 20_000;

/** A store that lets its process be killed at a moment. */
function killingStore(store: IdempotencyStore, moment: Moment): IdempotencyStore {
  return {
    ...store,
    async claim(order, _leaseMs, options) {
      const work = () => store.claim(order, LEASE_MS, options);
      if (moment === "before the claim") die(moment);
      if (moment === "during the claim") return dieDuring(moment, work);
      const claim = await work();
      if (claim.state === "yours" && moment === "between claim and send") die(moment);
      return claim;
    },
    async recordOutcome(order, end) {
      const work = () => store.recordOutcome(order, end);
      if (moment === "before the record") die(moment);
      return moment === "during the record" ? dieDuring(moment, work) : work();
    },
    renew: (order) => store.renew(order, LEASE_MS),
  };
}

/** A process without a store does nothing at these moments. */
const BEFORE_THE_SEND: readonly Moment[] = ["before the claim", "during the claim", "between claim and send"];

const settings = JSON.parse(process.argv[2] ?? "") as MerchantSettings;
const { headers, account, externalRef, amount, database, moment } = settings;
const opened = database && (await openStore(database));
const payments = new PaymentsClient({
  ...account,
  postbackSigner: new PostbackUrlSigner({ keys: SIGNING_KEYS }),
  timeout: TIMEOUT_MS,
  headers,
  idempotency: opened && killingStore(opened.store, moment),
});
if (database === undefined && BEFORE_THE_SEND.includes(moment)) die(moment);
try {
  await payments.transactions.createPix(aPix(externalRef, amount));
  print("ended created");
} catch (error) {
  if (!isPaymentsError(error)) throw error;
  print(`ended ${error.outcome}`);
}
die("at its end");
