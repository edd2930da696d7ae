import { endpoints } from "../../spec/endpoints.ts";
import { isJsonObject, type JsonObject } from "../body-rules.ts";
import { failure, tooManyRequests } from "../service-responses.ts";
import type { ArmedFault, Fault, FaultKind } from "./fault.ts";

/** The faults of the next calls and postbacks. */
export interface Faults {
  /**
   * Arms a fault. Faults of the same endpoint are used in the order in which they were armed.
   *
   * @throws {TypeError} for an unknown endpoint or kind, a kind that the endpoint does not support, and `times`
   * that is not a whole number, 1 or more, and at most 60 for a `refused_connection`.
   */
  add(fault: Fault): ArmedFault;
  /** The armed faults, oldest first. */
  readonly armed: readonly ArmedFault[];
  /** @returns whether the fault existed. */
  remove(id: number): boolean;
  /** Removes all faults. */
  clear(): void;
}

type Effect = "respondInstead" | "refusePix" | "replaceResponse" | "skipPostback";

/** {@link Faults}, with what the gateway needs to use them. */
export interface FaultSupply extends Faults {
  /** Uses the next fault of an endpoint or of the postbacks, if it has this effect. */
  take<Name extends Effect>(
    target: Fault["on"],
    effect: Name,
  ): { readonly kind: FaultKind; readonly apply: NonNullable<FaultEffect[Name]> } | undefined;
}

/** Over HTTP the port is closed for a second each time, and the fault cannot be removed by request. */
const REFUSALS_MAX = 60;

export function createFaults(onChange: () => void): FaultSupply {
  let nextId = 1;
  let armed: readonly ArmedFault[] = [];

  function set(faults: readonly ArmedFault[]): void {
    armed = faults.filter(({ times }) => times > 0);
    onChange();
  }

  return {
    get armed() {
      return armed;
    },
    add({ on, kind, times = 1, ...unknownFields }) {
      checkFault(on, kind, times, unknownFields);
      const fault: ArmedFault = { id: nextId, on, kind, times };
      nextId += 1;
      set([...armed, fault]);
      return fault;
    },
    remove(id) {
      const others = armed.filter((fault) => fault.id !== id);
      const wasArmed = others.length < armed.length;
      if (wasArmed) set(others);
      return wasArmed;
    },
    clear: () => set([]),
    take(target, effect) {
      const next = armed.find(({ on }) => on === target);
      const apply = next && FAULT_EFFECTS[next.kind][effect];
      if (!next || !apply) return undefined;
      set(armed.map((fault) => (fault === next ? { ...fault, times: fault.times - 1 } : fault)));
      return { kind: next.kind, apply };
    },
  };
}

function checkFault(on: Fault["on"], kind: FaultKind, times: number, unknownFields: object): void {
  const [unknown] = Object.keys(unknownFields);
  check(unknown === undefined, `${unknown} is not a field of a fault; known: on, kind, times`);
  check(TARGETS.includes(on), `on must be one of ${TARGETS.join(", ")}`);
  check(KINDS.includes(kind), `kind must be one of ${KINDS.join(", ")}`);
  check(Number.isSafeInteger(times) && times >= 1, "times must be a whole number, 1 or more");
  const isTooOften = kind === "refused_connection" && times > REFUSALS_MAX;
  check(!isTooOften, `times of a refused_connection must be ${REFUSALS_MAX} or less`);
  check(targetsOf(kind).includes(on), `${kind} is for ${targetsOf(kind).join(", ")}, not for ${on}`);
}

function check(isValid: boolean, message: string): void {
  if (!isValid) throw new TypeError(`faults.add: ${message}.`);
}

interface FaultEffect {
  /** What it can be armed for. Default: all endpoints. */
  readonly on?: readonly Fault["on"][];
  /** Responds instead of the service: the request has no effect. */
  readonly respondInstead?: (request: Request) => Response;
  readonly refusePix?: true;
  /** Replaces the response of the service: the request had its effect. */
  readonly replaceResponse?: (response: Response, request: Request) => Response | Promise<Response>;
  /** Whether a postback is not sent, and counts as answered with a 500. */
  readonly skipPostback?: true;
}

const WITH_STATUS = ["transactions.create", "company.retrieve", "status.retrieve", "sellers.list"] as const;

const FAULT_EFFECTS: Readonly<Record<FaultKind, FaultEffect>> = {
  charged_then_reset: { replaceResponse: () => breakConnection("ECONNRESET", "read ECONNRESET") },
  charged_then_stalled: { replaceResponse: (_response, request) => stall(request) },
  charged_then_500: { replaceResponse: () => failure(500, "Internal Server Error") },
  stalled_body: { replaceResponse: stallBody },
  late_response: { replaceResponse: delay },
  redirect_307: { respondInstead: redirect307 },
  html_502: { respondInstead: html502 },
  truncated_json: { replaceResponse: truncateBody },
  unknown_status: { on: WITH_STATUS, replaceResponse: replaceStatus },
  drifted_body: { replaceResponse: driftBody },
  pix_refused: { on: [endpoints.createTransaction.name], refusePix: true },
  rate_limited: { respondInstead: () => tooManyRequests(1) },
  refused_connection: { respondInstead: () => breakConnection("ECONNREFUSED", "connect ECONNREFUSED") },
  shop_500: { on: ["postbacks"], skipPostback: true },
};

const ENDPOINT_NAMES = Object.values(endpoints).map(({ name }) => name);
const TARGETS: readonly Fault["on"][] = [...ENDPOINT_NAMES, "postbacks"];

/** Every kind of fault, also of a postback. */
export const KINDS = Object.keys(FAULT_EFFECTS) as FaultKind[];

export function targetsOf(kind: FaultKind): readonly Fault["on"][] {
  return FAULT_EFFECTS[kind].on ?? ENDPOINT_NAMES;
}

// Faults of a connection or a proxy.

const LATE_MS = 1_000;

/** What `fetch` rejects with when a connection breaks. */
export class BrokenConnection extends TypeError {}

function breakConnection(code: "ECONNRESET" | "ECONNREFUSED", message: string): never {
  throw new BrokenConnection("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

/** Stays pending until the client aborts the request. */
function stall(request: Request): Promise<never> {
  return new Promise((_resolve, reject) => {
    onAbort(request, () => reject(request.signal.reason));
  });
}

async function stallBody(response: Response, request: Request): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
      // Later, because a server first cancels the body of a client that has disconnected, and reports its error otherwise.
      onAbort(request, () => setTimeout(() => controller.error(request.signal.reason)));
    },
  });
  const headers = new Headers(response.headers);
  headers.set("content-length", String(bytes.length)); // so that a closed connection is not the end of the body
  return new Response(body, { status: response.status, headers });
}

/** For example, a postback can then arrive before it. By the machine's clock. */
async function delay(response: Response): Promise<Response> {
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  return response;
}

/**
 * Redirects to the same URL, so that a client that follows the redirect sends the request twice. The location has
 * no host: the client may reach the sandbox under a host name other than that of the base URL.
 */
function redirect307({ url }: Request): Response {
  const { pathname, search } = new URL(url);
  return new Response(null, { status: 307, headers: { location: pathname + search } });
}

function html502(): Response {
  const page =
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n" +
    "<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n";
  return new Response(page, { status: 502, headers: { "content-type": "text/html" } });
}

/** Keeps stalled requests in memory: the signal of a garbage-collected request never fires. */
const stalledRequests = new Set<Request>();

function onAbort(request: Request, action: () => void): void {
  const { signal } = request;
  const run = () => {
    stalledRequests.delete(request);
    action();
  };
  stalledRequests.add(request);
  if (signal.aborted) run();
  else signal.addEventListener("abort", run, { once: true });
}

// Faults of a response body. The request had its effect.

const UNKNOWN_STATUS = "PENDING_3DS";

/** Sends half of the body, with a matching length. */
async function truncateBody(response: Response): Promise<Response> {
  const text = await response.text();
  return withBody(response, text.slice(0, Math.ceil(text.length / 2)));
}

/** Replaces `status` in the transaction, in each list entry, or else in the body itself. */
async function replaceStatus(response: Response): Promise<Response> {
  const body: unknown = await response.json();
  const replace = (value: unknown) => (isJsonObject(value) ? { ...value, status: UNKNOWN_STATUS } : value);
  const changed = Array.isArray(body)
    ? body.map(replace)
    : isJsonObject(body) && isJsonObject(body["data"])
      ? { ...body, data: replace(body["data"]) }
      : replace(body);
  return withBody(response, JSON.stringify(changed));
}

/**
 * Sends every number as a string and a new field in every object, plus what similar gateways do: an envelope
 * status of 1, `fees` as an object, no checkout URL, no creation time. A token is sent in quotes.
 */
async function driftBody(response: Response): Promise<Response> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.includes("json"))
    return withBody(response, JSON.stringify(text));

  const body: unknown = JSON.parse(text);
  const isEnvelope = isJsonObject(body) && isJsonObject(body["data"]);
  return withBody(response, JSON.stringify(isEnvelope ? driftEnvelope(body) : driftValue(body)));
}

function driftEnvelope(body: JsonObject): JsonObject {
  const { createdAt: _removed, ...data } = driftValue(body["data"]) as JsonObject;
  const { fees } = data;
  return {
    ...body,
    ...("status" in body && { status: 1 }),
    data: {
      ...data,
      ...("secureUrl" in data && { secureUrl: null }),
      ...("fees" in data && { fees: { fixed: "0", percent: fees } }),
    },
  };
}

function driftValue(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return value.map(driftValue);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => [key, driftValue(inner)]);
  return { ...Object.fromEntries(fields), addedLater: true };
}

function withBody({ status, headers }: Response, body: string): Response {
  return new Response(body, { status, headers });
}
