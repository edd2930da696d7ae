import type { Deviation } from "../data/read-fields.ts";
import type { Redactor } from "../data/redactor.ts";
import type { Salvage } from "../errors/unexpected-response-error.ts";
import type { RefusedTransaction } from "../resources/transactions/transaction-id.ts";

/** What the body of a 2xx gave. */
export type Reading<Data> = { readonly ok: true; readonly data: Data } | ({ readonly ok: false } & Salvage);

/** Takes note of a deviation from the specification. */
export type Deviate = (deviation: Deviation) => void;

/**
 * One call, ready to be sent: all that an endpoint does not say of itself. Each field has to be there, so that none is
 * taken from a prototype.
 */
export interface Call<Data> {
  /** Relative to the base URL. Default: the endpoint's. */
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly authorization: string | undefined;
  /** JSON text. */
  readonly body: string | undefined;
  /** What must never come out of this call, besides what always is a secret. */
  readonly secrets: readonly (string | undefined)[];
  /**
   * Makes the result of a body: parsed JSON, or the text where the endpoint answers text. The redactor is for a
   * text of it that an error may repeat later.
   */
  readonly read: (body: unknown, deviate: Deviate, redactorOf: () => Redactor) => Reading<Data>;
  /** The id of this call's transaction in a 2xx that is otherwise of no use. Creates have one. */
  readonly rescueId: ((text: string) => number | string | undefined) | undefined;
  /** What the body of an answer that says no holds of a transaction. Creates have one. */
  readonly transactionInRefusal: ((text: string) => RefusedTransaction) | undefined;
  /** The last check at the moment of sending; if it throws, nothing is sent. */
  readonly beforeSend: (() => void) | undefined;
  /** The caller's name for a field that the service complained about. Default: the service's. */
  readonly fieldOf: ((field: string) => string) | undefined;
}

/** What most calls have none of. */
export const NOTHING_MORE = {
  path: undefined,
  query: undefined,
  body: undefined,
  rescueId: undefined,
  transactionInRefusal: undefined,
  beforeSend: undefined,
  fieldOf: undefined,
};
