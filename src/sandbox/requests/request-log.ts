import type { Endpoint, ServiceEndpointName } from "../../spec/endpoints.ts";
import { isJsonObject, parseJson } from "../body-rules.ts";
import type { Changes } from "../changes.ts";
import { type Clock, toTimestamp } from "../clock.ts";
import type { FaultKind } from "../faults/fault.ts";
import { REQUESTS_MAX, type SandboxRequest } from "./logged-request.ts";
import { redactPath, redactRequestBody, redactResponseBody } from "./redact-request.ts";

type Fields = Partial<Omit<SandboxRequest, "id">>;

export function createRequestLog(clock: Clock, changes: Changes) {
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
    if (request) changes.publish({ type: "request", request });
  }

  function stopTimer(id: number): { readonly durationMs: number } {
    const startTime = startTimes.get(id) ?? performance.now();
    startTimes.delete(id);
    return { durationMs: Math.round(performance.now() - startTime) };
  }

  return {
    /** Records a request that has arrived. @returns its id. */
    start({ method, url }: Request, endpoint: ServiceEndpointName | undefined): number {
      lastId += 1;
      const at = toTimestamp(clock.now());
      const path = redactPath(new URL(url));
      startTimes.set(lastId, performance.now());
      const request = { id: lastId, at, method, path, requestBody: "", responseBody: "" };
      requests.set(lastId, endpoint ? { ...request, endpoint } : request);
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
