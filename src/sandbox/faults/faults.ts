import type { ServiceEndpointName } from "../../spec/endpoints.ts";
import { type ArmedFault, FAULT_KINDS, type Fault, type FaultKind } from "./fault.ts";
import { ENDPOINT_NAMES, endpointsOf, FAULT_EFFECTS, type FaultEffect } from "./fault-effects.ts";

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

type Effect = "respondInstead" | "refusePix" | "replaceResponse";

/** {@link Faults}, with what the gateway needs to use them. */
export interface FaultSupply extends Faults {
  /** Uses the next fault of an endpoint, if it has this effect. */
  take<Name extends Effect>(
    endpoint: ServiceEndpointName,
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
    take(endpoint, effect) {
      const next = armed.find(({ on }) => on === endpoint);
      const apply = next && FAULT_EFFECTS[next.kind][effect];
      if (!next || !apply) return undefined;
      set(armed.map((fault) => (fault === next ? { ...fault, times: fault.times - 1 } : fault)));
      return { kind: next.kind, apply };
    },
  };
}

function checkFault(on: ServiceEndpointName, kind: FaultKind, times: number, unknownFields: object): void {
  const [unknown] = Object.keys(unknownFields);
  check(unknown === undefined, `${unknown} is not a field of a fault; known: on, kind, times`);
  check(ENDPOINT_NAMES.includes(on), `on must be one of ${ENDPOINT_NAMES.join(", ")}`);
  check(FAULT_KINDS.includes(kind), `kind must be one of ${FAULT_KINDS.join(", ")}`);
  check(Number.isSafeInteger(times) && times >= 1, "times must be a whole number, 1 or more");
  check(
    kind !== "refused_connection" || times <= REFUSALS_MAX,
    `times of a refused_connection must be ${REFUSALS_MAX} or less`,
  );
  check(endpointsOf(kind).includes(on), `${kind} is for ${endpointsOf(kind).join(", ")}, not for ${on}`);
}

function check(isValid: boolean, message: string): void {
  if (!isValid) throw new TypeError(`faults.add: ${message}.`);
}
