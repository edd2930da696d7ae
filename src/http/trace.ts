import type { Transaction } from "../contracts/transaction.ts";
import type { Outcome, PaymentsError } from "../errors/payments-error.ts";
import type { EndpointName } from "../spec/endpoints.ts";
import type { Call } from "./call.ts";
import type { WithResponse } from "./result.ts";

/**
 * What `tracingChannel("payments-sdk:call")` of `node:diagnostics_channel` publishes: one object for each call of a
 * `PaymentsClient`, whatever its retries. Contains no key, card data, card token or postback URL.
 */
export interface PaymentsCallTrace {
  readonly endpoint: EndpointName;
  /** The merchant's reference of the order, if the call has one. */
  readonly externalRef?: string;
  /** At the end. Missing if `payments.request` sent what may charge, and has a result. */
  readonly outcome?: Outcome;
  /** At the end of a create call that has a result. */
  readonly transactionId?: Transaction["id"];
  /** At the end of a create call that has a result; `refused` for a declined card. */
  readonly status?: Transaction["status"];
  /** The error that the call throws. Its `body` may contain personal data; its message and `toJSON()` do not. */
  readonly error?: PaymentsError;
}

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: object): void;
  runStores<Result>(message: object, run: () => Result): Result;
}

/** A `TracingChannel`. Bun has no `hasSubscribers` of the whole. */
type Channels = Readonly<Record<"start" | "end" | "asyncStart" | "asyncEnd" | "error", Channel>>;

/** Missing in a runtime without `node:diagnostics_channel`. */
const channels = findChannels();

function findChannels(): Channels | undefined {
  const { process } = globalThis as {
    readonly process?: { getBuiltinModule?(name: string): { tracingChannel?(name: string): Channels } };
  };
  try {
    return process?.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel?.("payments-sdk:call");
  } catch {
    return undefined;
  }
}

/** Does the work of a call: see {@link Call.run}. Publishes its start and its end if anyone subscribes. */
export function runCall<Data>(
  call: Call,
  work: () => Promise<WithResponse<Data>>,
): Promise<WithResponse<Data>> {
  if (channels === undefined) return call.run(work);
  const { start, end, asyncStart, asyncEnd, error } = channels;
  const isTraced = [start, end, asyncStart, asyncEnd, error].some(({ hasSubscribers }) => hasSubscribers);
  return isTraced ? runTraced(call, work, channels) : call.run(work);
}

/** Node's `tracePromise` would publish the result, and cut off the stacks of errors. */
async function runTraced<Data>(
  call: Call,
  work: () => Promise<WithResponse<Data>>,
  { start, end, asyncStart, asyncEnd, error: failed }: Channels,
): Promise<WithResponse<Data>> {
  const { endpoint, externalRef } = call;
  const { name, charges } = endpoint;
  const trace: PaymentsCallTrace = { endpoint: name, ...(externalRef !== undefined && { externalRef }) };
  const publish = (channel: Channel, fields?: Partial<PaymentsCallTrace>) => {
    try {
      channel.publish(Object.assign(trace, fields));
    } catch {
      // A subscriber has frozen the object.
    }
  };
  // Node reports what a subscriber throws as an uncaught exception.
  return start.runStores(trace, async () => {
    try {
      const running = call.run(work);
      publish(end);
      const result = await running;
      if (name === "transactions.create") {
        const { id: transactionId, status } = result.data as Transaction;
        publish(asyncStart, { outcome: "created", transactionId, status });
      } else publish(asyncStart, charges ? {} : { outcome: "not_applicable" });
      return result;
    } catch (thrown) {
      const error = thrown as PaymentsError;
      publish(failed, { outcome: error.outcome, error });
      publish(asyncStart);
      throw error;
    } finally {
      publish(asyncEnd);
    }
  });
}
