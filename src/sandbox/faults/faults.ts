import { type EndpointName, endpoints } from "../../spec/endpoints.ts";
import { type ArmedFault, FAULT_KINDS, type Fault, type FaultKind } from "./fault.ts";
import { FAULT_EFFECTS } from "./fault-effects.ts";

/** The ways in which the next calls go wrong. */
export interface Faults {
  /**
   * Arms a fault. Those of one endpoint are used up in the order in which they were armed.
   *
   * @throws {TypeError} for an endpoint or a kind that does not exist, a kind that the endpoint's answer
   * cannot show, and `times` that is not a whole number of one or more, 60 at most for a `refused_connection`.
   */
  add(fault: Fault): ArmedFault;
  /** What is left, oldest first. */
  readonly armed: readonly ArmedFault[];
  /** @returns whether there was one. */
  remove(id: number): boolean;
  /** Takes all of them away. */
  clear(): void;
}

/** {@link Faults}, as the gateway uses them up. */
export interface FaultSupply extends Faults {
  /** What the next call of an endpoint meets. */
  next(endpoint: EndpointName): ArmedFault | undefined;
  /** Takes one time off the next fault of an endpoint. */
  use(endpoint: EndpointName): void;
}

/** Over HTTP each time is a second in which nobody can take the fault away but the code that armed it. */
const MOST_REFUSALS = 60;

const FIELDS = ["on", "kind", "times"];
const ENDPOINTS = Object.values(endpoints).map(({ name }) => name);

export function createFaults(changed: () => void): FaultSupply {
  let nextId = 1;
  let armed: readonly ArmedFault[] = [];

  function set(faults: readonly ArmedFault[]): void {
    armed = faults.filter(({ times }) => times > 0);
    changed();
  }

  const next = (endpoint: EndpointName) => armed.find(({ on }) => on === endpoint);

  return {
    get armed() {
      return armed;
    },
    add({ on, kind, times = 1, ...others }) {
      checkFault(on, kind, times, others);
      const fault: ArmedFault = { id: nextId, on, kind, times };
      nextId += 1;
      set([...armed, fault]);
      return fault;
    },
    remove(id) {
      const left = armed.filter((fault) => fault.id !== id);
      const wasArmed = left.length < armed.length;
      if (wasArmed) set(left);
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

function checkFault(on: EndpointName, kind: FaultKind, times: number, others: object): void {
  const [unknown] = Object.keys(others);
  check(unknown === undefined, `${unknown} is no field of a fault, which has ${FIELDS.join(", ")}`);
  check(ENDPOINTS.includes(on), `on must be one of ${ENDPOINTS.join(", ")}`);
  check(FAULT_KINDS.includes(kind), `kind must be one of ${FAULT_KINDS.join(", ")}`);
  check(Number.isSafeInteger(times) && times >= 1, "times must be a whole number, 1 or more");
  check(
    kind !== "refused_connection" || times <= MOST_REFUSALS,
    `times of a refused_connection must be ${MOST_REFUSALS} or less`,
  );
  check(
    FAULT_EFFECTS[kind].on.includes(on),
    `${kind} is for ${FAULT_EFFECTS[kind].on.join(", ")}: an answer of ${on} has no status`,
  );
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(`faults.add: ${message}.`);
}
