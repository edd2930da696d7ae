import type { PaymentsClient } from "payments-sdk";
import type { PostbackUrlSigner } from "payments-sdk/postbacks";
import type { AttemptLimit } from "./attempt-limit.ts";
import type { Orders } from "./orders.ts";

/** What the parts of the shop's server share. */
export interface Shop {
  readonly payments: PaymentsClient;
  /** The one that `payments` signs with. */
  readonly postbackSigner: PostbackUrlSigner;
  readonly orders: Orders;
  /** Of cards: whoever tests stolen ones gets many refusals. */
  readonly refusals: AttemptLimit;
  readonly pixCodes: AttemptLimit;
  /** Writes one line; never card data, a token or a postback address. */
  readonly log: (line: string) => void;
}
