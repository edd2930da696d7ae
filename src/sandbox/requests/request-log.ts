import type { Endpoint, ServiceEndpointName } from "../../spec/endpoints.ts";
import { isJsonObject, parseJson } from "../body-rules.ts";
import { type Clock, toTimestamp } from "../clock.ts";
import type { FaultKind } from "../faults/fault.ts";
import { redactPath, redactRequestBody, redactResponseBody, redactText } from "./redact-request.ts";

/** How many requests a gateway keeps. */
const REQUESTS_MAX = 1_000;

/**
 * A request that the gateway received, and its response. Keys, card tokens and card data are redacted.
 *
 * @useDeclaredType
 */
export interface SandboxRequest {
  /** 1 for the first request, then increasing. */
  readonly id: number;
  /** When it arrived: ISO 8601, by the gateway's clock. */
  readonly at: string;
  /** HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The page that sent it, from the `Origin` header. Missing if no page did. */
  readonly origin?: string;
  /** Missing if no endpoint has this path and method. */
  readonly endpoint?: ServiceEndpointName;
  /** HTTP status. Missing while no response was sent, and if a fault broke the connection. */
  readonly status?: number;
  /** Whole milliseconds until the response, by the machine's clock. Missing while the request is in flight. */
  readonly durationMs?: number;
  /** At most 64 kB; empty if it has none. Only the length of a tokenization request is kept. */
  readonly requestBody: string;
  /** At most 64 kB; empty if it has none, and if a fault did not let the client have all of it. */
  readonly responseBody: string;
  /** Why the request was refused, in words. */
  readonly reason?: string;
  /** The fault that replaced the response. */
  readonly fault?: FaultKind;
  /** Id of the transaction that the request created, even if a fault replaced the response. */
  readonly transactionId?: number;
}

type Fields = Partial<Omit<SandboxRequest, "id">>;

export function createRequestLog(clock: Clock, onChange: (request: SandboxRequest) => void) {
  const requests = new Map<number, SandboxRequest>(); // in the order of their ids
  const startTimes = new Map<number, number>(); // of the requests in flight, by the machine's clock
  let lastId = 0;

  function update(id: number, fields: Fields): void {
    const before = requests.get(id);
    if (before) requests.set(id, { ...before, ...fields }); // otherwise it is no longer in the log
  }

  function publish(id: number, fields: Fields): void {
    update(id, fields);
    const request = requests.get(id);
    if (request) onChange(request);
  }

  function stopTimer(id: number): { readonly durationMs: number } {
    const startTime = startTimes.get(id) ?? performance.now();
    startTimes.delete(id);
    return { durationMs: Math.round(performance.now() - startTime) };
  }

  return {
    /** Records a request that has arrived. @returns its id. */
    start({ method, url, headers }: Request, endpoint: ServiceEndpointName | undefined): number {
      lastId += 1;
      const at = toTimestamp(clock.now());
      const path = redactPath(new URL(url));
      startTimes.set(lastId, performance.now());
      const origin = headers.get("origin");
      requests.set(lastId, {
        ...{ id: lastId, at, method, path, requestBody: "", responseBody: "" },
        ...(origin !== null && { origin: redactText(origin) }),
        ...(endpoint && { endpoint }),
      });
      requests.delete(lastId - REQUESTS_MAX);
      return lastId;
    },
    recordBody: (id: number, body: string) =>
      publish(id, { requestBody: redactRequestBody(body, requests.get(id)?.endpoint) }),
    /** Adds what is known now. It is published with the next of the other changes. */
    update,
    /** Records the fault that replaces the response. The client may never get one. */
    recordFault: (id: number, fault: FaultKind) => publish(id, { fault }),
    /** Whether the fault of the request gives it a response whose body has no end. */
    hasEndlessResponse: (id: number) => requests.get(id)?.fault === "stalled_body",
    /** Records the response. @param body empty if the client does not get all of it. */
    finish(id: number, status: number, body: string): void {
      publish(id, { status, responseBody: redactResponseBody(body), ...stopTimer(id) });
    },
    /** Records that the connection was broken, or the request aborted, before a response. */
    abort: (id: number) => publish(id, stopTimer(id)),
    /** Oldest first. */
    list: (): readonly SandboxRequest[] => [...requests.values()],
  };
}

/**
 * What the response of an endpoint says: the transaction, or why the request was refused.
 *
 * @param sent body of the request.
 * @param returned body of the response.
 */
export function readResponse(
  endpoint: Endpoint,
  isOk: boolean,
  sent: string,
  returned: string,
): Pick<SandboxRequest, "transactionId" | "reason"> {
  if (isOk && !endpoint.charges) return {};
  const body = parseJson(returned);
  if (!isJsonObject(body)) return {};
  const { data, errors, message } = body;
  if (isJsonObject(data) && typeof data["id"] === "number") return { transactionId: data["id"] };
  if (!Array.isArray(errors)) return { reason: String(message) };
  const problems = errors.map((problem) => `${problem.field}: ${problem.message}`);
  return { reason: problemWithJson(sent) ?? problems.join("; ") };
}

/** Without the text of the parser's error, which quotes the body. */
function problemWithJson(text: string): string | undefined {
  if (text.trim() === "") return "The body is empty.";
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /position (\d+)/.exec(String(error)) ?? [];
    return `The body is not JSON${position === undefined ? "" : `, from character ${Number(position) + 1} on`}.`;
  }
}
