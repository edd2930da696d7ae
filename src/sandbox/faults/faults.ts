import { type EndpointName, endpoints } from "../../spec/endpoints.ts";
import { type ArmedFault, FAULT_KINDS, type Fault, type FaultKind } from "./fault.ts";
import { FAULT_EFFECTS, type FaultEffect } from "./fault-effects.ts";

/** The faults of the next calls. */
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

/** {@link Faults}, with what the gateway needs to use them. */
export interface FaultSupply extends Faults {
  /** The fault of the endpoint's next call. */
  next(endpoint: EndpointName): ArmedFault | undefined;
  /** Uses the next fault of an endpoint once. */
  use(endpoint: EndpointName): void;
}

/** Over HTTP the port is closed for a second each time, and the fault cannot be removed by request. */
const REFUSALS_MAX = 60;

const FIELDS = ["on", "kind", "times"];
const ENDPOINTS = Object.values(endpoints).map(({ name }) => name);

export function createFaults(onChange: () => void): FaultSupply {
  let nextId = 1;
  let armed: readonly ArmedFault[] = [];

  function set(faults: readonly ArmedFault[]): void {
    armed = faults.filter(({ times }) => times > 0);
    onChange();
  }

  const next = (endpoint: EndpointName) => armed.find(({ on }) => on === endpoint);

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
    next,
    use(endpoint) {
      const used = next(endpoint);
      set(armed.map((fault) => (fault === used ? { ...fault, times: fault.times - 1 } : fault)));
    },
  };
}

/**
 * Calls an endpoint, with its next fault. A fault that replaces a response is kept until a call succeeds: it is
 * not used for a call that the service refuses.
 */
export async function withFaults(
  faults: FaultSupply,
  endpoint: EndpointName,
  request: Request,
  callEndpoint: () => Response | Promise<Response>,
): Promise<Response> {
  const { respondInstead } = nextEffect(faults, endpoint);
  if (respondInstead) {
    faults.use(endpoint);
    return respondInstead(request);
  }

  const response = await callEndpoint();
  // Read after the call: another call may have used the fault in the meantime.
  const { replaceResponse } = nextEffect(faults, endpoint);
  if (!response.ok || !replaceResponse) return response;
  faults.use(endpoint);
  return replaceResponse(response, request);
}

function nextEffect(faults: FaultSupply, endpoint: EndpointName): Partial<FaultEffect> {
  const next = faults.next(endpoint);
  return next ? FAULT_EFFECTS[next.kind] : {};
}

function checkFault(on: EndpointName, kind: FaultKind, times: number, unknownFields: object): void {
  const [unknown] = Object.keys(unknownFields);
  check(unknown === undefined, `${unknown} is not a field of a fault; known: ${FIELDS.join(", ")}`);
  check(ENDPOINTS.includes(on), `on must be one of ${ENDPOINTS.join(", ")}`);
  check(FAULT_KINDS.includes(kind), `kind must be one of ${FAULT_KINDS.join(", ")}`);
  check(Number.isSafeInteger(times) && times >= 1, "times must be a whole number, 1 or more");
  check(
    kind !== "refused_connection" || times <= REFUSALS_MAX,
    `times of a refused_connection must be ${REFUSALS_MAX} or less`,
  );
  check(
    FAULT_EFFECTS[kind].on.includes(on),
    `${kind} is for ${FAULT_EFFECTS[kind].on.join(", ")}: a response of ${on} has no status`,
  );
}

function check(isValid: boolean, message: string): void {
  if (!isValid) throw new TypeError(`faults.add: ${message}.`);
}
