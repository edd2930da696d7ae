import type { Changes } from "../changes.ts";
import { type Clock, toTimestamp } from "../clock.ts";
import type { FaultKind } from "../faults/fault.ts";
import { FAULT_EFFECTS } from "../faults/fault-effects.ts";
import { redactPath, redactRequestBody, redactResponseBody } from "./redact.ts";
import type { SandboxRequest } from "./request.ts";

type Fields = Partial<Omit<SandboxRequest, "id">>;

/** The last requests of a gateway. */
export interface RequestLog {
  /** Records a request that has arrived. @returns its id. */
  start(request: Request): Promise<number>;
  /** Adds what is known now. It is published with the next of the other changes. */
  update(id: number, fields: Fields): void;
  /** Records the fault that replaces the response. The client may never get one. */
  strike(id: number, fault: FaultKind): void;
  /** Records the response. */
  finish(id: number, response: Response): Promise<void>;
  /** Records that the connection was broken, or the request aborted, before a response. */
  abort(id: number): void;
  /** Oldest first. */
  list(): readonly SandboxRequest[];
}

const REQUESTS_MAX = 1_000;
const BODY_MAX_BYTES = 64 * 1024;

export function createRequestLog(clock: Clock, changes: Changes): RequestLog {
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
    async start(request) {
      lastId += 1;
      const id = lastId;
      const at = toTimestamp(clock.now());
      startTimes.set(id, performance.now());
      const { method, url } = request;
      // Before the first await, so that the requests are in the order in which they arrived.
      requests.set(id, { id, at, method, path: redactPath(new URL(url)), requestBody: "", responseBody: "" });
      removeOldest(requests);
      publish(id, { requestBody: shorten(redactRequestBody(await readText(request))) });
      return id;
    },
    update,
    strike: (id, fault) => publish(id, { fault }),
    async finish(id, response) {
      const { status } = response;
      const fault = requests.get(id)?.fault;
      const hasEnd = fault === undefined || !FAULT_EFFECTS[fault].isEndless;
      const responseBody = hasEnd ? shorten(redactResponseBody(await readText(response))) : "";
      publish(id, { status, responseBody, ...stopTimer(id) });
    },
    abort: (id) => publish(id, stopTimer(id)),
    list: () => [...requests.values()],
  };
}

function removeOldest(requests: Map<number, SandboxRequest>): void {
  const [oldest] = requests.keys();
  if (requests.size > REQUESTS_MAX && oldest !== undefined) requests.delete(oldest);
}

/** Reads a copy of the body. A body that cannot be read, for example of an aborted request, is empty. */
async function readText(message: Request | Response): Promise<string> {
  if (message.body === null) return "";
  try {
    return await message.clone().text();
  } catch {
    return "";
  }
}

/** Redaction comes first: half a card number would not be recognized. */
function shorten(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= BODY_MAX_BYTES) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, BODY_MAX_BYTES - 100))}… (${bytes.length} bytes)`;
}
