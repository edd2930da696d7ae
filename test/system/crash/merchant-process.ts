import { type CreateTransactionParams, isPaymentsError, PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { SIGNING_KEYS } from "../storm/signing-keys.ts";
import { type DatabaseAddress, openStore } from "./databases.ts";
import { killingStore } from "./killing-store.ts";
import { die, say } from "./last-words.ts";
import type { Moment } from "./plan.ts";

/** The one argument of this process, as JSON. */
export interface MerchantSettings {
  /** Tell the service which process sends. */
  readonly headers: Readonly<Record<string, string>>;
  readonly account: { readonly baseUrl: string; readonly secretKey: string; readonly publicKey: string };
  readonly postbackUrl: string;
  readonly params: CreateTransactionParams;
  /** Without one nothing keeps it from charging twice. */
  readonly database?: DatabaseAddress | undefined;
  /** Without one it ends by itself. */
  readonly moment?: Moment | undefined;
}

/** Longer than any answer takes here, on a machine that is busy, too. */
const TIMEOUT_MS = 20_000;

/** What a process without a store has done by then: nothing. */
const BEFORE_THE_SEND: readonly (Moment | undefined)[] = [
  "before the claim",
  "during the claim",
  "between claim and send",
];

const settings = JSON.parse(process.argv[2] ?? "") as MerchantSettings;
const { headers, account, postbackUrl, params, database, moment } = settings;
const opened = database && (await openStore(database));
const idempotency = opened && (moment === undefined ? opened.store : killingStore(opened.store, moment));
const payments = new PaymentsClient({
  ...account,
  postbackUrl,
  postbackSigner: new PostbackUrlSigner({ keys: SIGNING_KEYS }),
  timeout: TIMEOUT_MS,
  headers,
  idempotency,
});

if (database === undefined && moment !== undefined && BEFORE_THE_SEND.includes(moment)) die(moment);
try {
  const { status } = await payments.transactions.create(params);
  say({ type: "ended", outcome: "created", code: status });
} catch (error) {
  if (!isPaymentsError(error)) throw error;
  say({ type: "ended", outcome: error.outcome, code: error.code });
}
if (moment !== undefined) die("at its end");
await opened?.close();
