import type { PaymentsEvent, ResultEvent, SentFacts } from "../http/events.ts";

export type Value = string | number | boolean;

/** How often each value was seen, in the order in which they were last seen. */
export type Counts = ReadonlyMap<Value, number>;

/** An event of a client, and what is known about its call. */
export interface SeenCall {
  readonly event: PaymentsEvent & SentFacts;
  /** The event, if the call succeeded. */
  readonly result: ResultEvent | undefined;
  /** The event, if it was a create call that succeeded. */
  readonly created: ResultEvent | undefined;
  /** The code of the error, if it failed. */
  readonly code: string | undefined;
  /** Whether the service refused the request, and names this field. */
  readonly isRefusedFor: (field: string) => boolean;
  /** Whether the amount is outside the known limits of the company. */
  readonly isOutside: boolean;
  /** Whether the company is known not to be active. */
  readonly isInactive: boolean;
}

interface Assumption {
  /** What an event of a client shows. */
  readonly call?: (call: SeenCall) => Value | undefined;
  /** What confirms the assumption; anything else contradicts it. Default: the first of `values`, or anything. */
  readonly assumed?: readonly Value[];
  /** The option of the sandbox. */
  readonly option?: string;
  /** The values of the option, the default first. */
  readonly values?: readonly Value[];
  /** The value of the option. Default: the most frequent one of `values`, or the most frequent number. */
  readonly choose?: (counts: Counts, values?: readonly Value[]) => Value | undefined;
}

/**
 * By the entry in docs/specification.md, followed by what is counted if an entry has several. Those without `call` are about
 * postbacks: a log counts what their deliveries show.
 */
export const ASSUMPTIONS: Readonly<Record<string, Assumption>> = {
  "envelope-status": {
    call: ({ created }) => created && Number(created.envelopeStatus),
    option: "envelopeStatus",
    values: [201, 1],
  },
  "fields-in-one-example": {
    call: ({ created }) => created && toEcho(created),
    option: "echo",
    values: ["all", "documented"],
  },
  "company-status": {
    call: (call) => (call.isInactive ? isAccepted(call, "paymentMethod") : undefined),
    option: "suspendedPays",
    values: [true, false],
  },
  cancelled: {
    option: "pixCancelledAs",
    values: ["canceled", "cancelled"],
  },
  "pix-fields": {
    call({ event: { paymentMethod, notSent = [] }, created, isRefusedFor }) {
      if (paymentMethod !== "pix" || notSent.length === 0) return undefined;
      return created ? "guide" : notSent.some(isRefusedFor) ? "endpoint" : undefined;
    },
    option: "pixFields",
    values: ["guide", "endpoint"],
  },
  "cnpj-with-letters": {
    call: (call) => (call.event.hasCnpjLetters ? isAccepted(call, "customer.document.number") : undefined),
    option: "alphanumericCnpj",
    values: [false, true],
  },
  "amount-outside-the-limits": {
    call({ event, created, code, isOutside, isRefusedFor }) {
      const failure = code === "pix_refused" ? "refused" : isRefusedFor("amount") ? 400 : undefined;
      const status = isOutside ? (failure ?? created?.status) : undefined;
      return status && `${event.paymentMethod} ${status}`;
    },
    assumed: ["credit_card refused", "pix 400"],
    option: "outsideLimits",
    choose(counts) {
      const [isRefused, isInvalid] = [counts.has("pix refused"), counts.has("credit_card 400")];
      if (isRefused !== isInvalid) return isRefused ? "refused" : "validation";
      const isByMethod = !isRefused && counts.has("pix 400") && counts.has("credit_card refused");
      return isByMethod ? "by_method" : undefined;
    },
  },
  "sellers-path": {
    call: ({ event, result, code }) => {
      if (!isOfSellers(event)) return undefined;
      return code === "not_found" ? 404 : result?.path?.replace(/\/revenue$/, "");
    },
    assumed: ["/sellers"],
    option: "sellersPath",
    choose: (counts) => [...counts.keys()].findLast((value) => SANDBOX_PATH.test(String(value))),
  },
  "sellers-authentication": {
    call({ event, result, code }) {
      if (!isOfSellers(event)) return undefined;
      if (event.auth !== "none") return result && "basic accepted";
      return result ? "none" : code === "authentication_failed" ? "basic" : undefined;
    },
    assumed: ["basic", "basic accepted"],
    option: "sellersAuth",
    values: ["basic", "none"],
  },
  "rate-limits": {
    call({ event, code }) {
      if (event.type === "retry" && event.status === 429) return event.retryAfterMs !== undefined;
      return event.type === "error" && code === "rate_limited" ? "retryAfterMs" in event.error : undefined;
    },
    option: "retryAfter",
    values: [true, false],
  },
  med: {
    option: "pixReturnedAs",
    values: ["refunded", "chargedback"],
  },
  "partial-refunds": {
    option: "postbacks.partialRefunds",
    values: [false, true],
  },
  "postback-retries": {
    assumed: [1, 2, 3, 4],
    option: "postbacks.retries",
    choose: largest,
  },
  "postback-retries (ms)": {
    assumed: [1_000],
    option: "postbacks.backoffMs",
  },
  "postback-order (copies)": {
    assumed: [0],
    option: "postbacks.duplicates",
    choose: (counts) => largest(counts) || undefined, // a copy can still come
  },
  "postback-order (late)": {
    option: "postbacks.reorder",
    values: [false, true],
    choose: largest,
  },
  "changes-that-are-posted": {
    option: "postbacks.expired",
    choose: (counts) => [...counts.keys()].some((value) => /expired$/.test(String(value))) || undefined,
  },
  "postback-at-creation": {
    option: "postbacks.onCreation",
    values: [false, true],
    choose: largest,
  },
  "event-names": {
    option: "postbacks.onlyConfiguredEvents",
    choose: (counts) => (counts.size > 0 ? false : undefined),
  },
};

/** A path that the sandbox accepts for the sellers, if it is not of another endpoint. */
const SANDBOX_PATH = /^(?!\/(?:sandbox|checkout)\b)(?:\/\w[\w.-]*)+$/;

const isOfSellers = ({ endpoint }: PaymentsEvent) => endpoint.startsWith("sellers.");

/** Whether the service accepts a request, or refuses it because of a field. */
function isAccepted({ created, isRefusedFor }: SeenCall, field: string): boolean | undefined {
  return created ? true : isRefusedFor(field) ? false : undefined;
}

/** The fields of a response that repeat fields of the request, by their names in the request. */
const RETURNED = { metadata: "metadata", postbackUrl: "postBackUrl", externalRef: "customer.externalRef" };

function toEcho({ notSent = [], notReturned }: ResultEvent): Value | undefined {
  const sent = Object.entries(RETURNED).filter(([name]) => !notSent.includes(name));
  const missing = sent.filter(([, name]) => notReturned?.includes(name));
  if (sent.length === 0 || notReturned === undefined) return undefined;
  if (missing.length === 0) return "all";
  return missing.length === sent.length ? "documented" : "some";
}

/** What occurred once can occur again, however often it did not. */
function largest(counts: Counts): Value | undefined {
  return [...counts.keys()].sort((one, other) => Number(one) - Number(other)).at(-1);
}
