import ky, { HTTPError, NetworkError, TimeoutError } from "ky";
import { isRetriableStatus } from "../spec/response-statuses.ts";
import type { Call, HttpRequest } from "./call.ts";
import type { RawResponse } from "./response.ts";
import { planRetry } from "./retries.ts";
import { prepareRequest, sendAttempt } from "./send.ts";
import { TimeoutReached } from "./timers.ts";

const service = ky.create({ redirect: "manual", throwHttpErrors: isRetriableStatus });

/** Sends a request with ky, which retries it. The time limit applies to each attempt. Only this file knows ky. */
export async function sendWithKy(call: Call, request: HttpRequest): Promise<RawResponse> {
  const prepared = prepareRequest(call, request);
  const { url, method } = prepared;
  const { timeout, signal } = call.options;
  let attempt = 0;
  let delayMs: number | undefined;
  try {
    const response = await service(url, {
      method,
      timeout,
      ...(signal !== undefined && { signal }),
      retry: {
        limit: call.config.maxRetries,
        methods: [method.toLowerCase()],
        shouldRetry: ({ error, retryCount }) => {
          delayMs = planRetry(call, { attempt: retryCount, response: rawResponseOf(error) });
          return delayMs !== undefined;
        },
        delay: () => delayMs ?? 0,
      },
      // Reads the body, too, so that a truncated one is retried; and calls a custom `fetch` as (url, init). Of ky's request
      // only the signal is used: ky reads its options, such as `headers`, from `Object.prototype`, too.
      fetch: async (kyRequest) => {
        attempt += 1;
        const raw = await sendAttempt(call, prepared, attempt, (kyRequest as Request).signal);
        return Object.assign(new Response(null, { status: toAllowedStatus(raw.status) }), { raw });
      },
    });
    return (response as ReadResponse).raw;
  } catch (error) {
    const raw = rawResponseOf(error);
    if (raw !== undefined) return raw;
    if (error instanceof TimeoutError) throw new TimeoutReached();
    throw error instanceof NetworkError ? error.cause : error;
  }
}

/** What ky sees of a response whose body was read: only its status. */
type ReadResponse = Response & { readonly raw: RawResponse };

function rawResponseOf(error: unknown): RawResponse | undefined {
  return error instanceof HTTPError ? (error.response as unknown as ReadResponse).raw : undefined;
}

/** A status that a `Response` allows, with the same meaning for a retry. A custom `fetch` may return anything. */
function toAllowedStatus(status: number): number {
  if (status > 599) return 599;
  return Number.isInteger(status) && status >= 200 ? status : 300;
}
