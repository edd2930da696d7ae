import type { EndpointName } from "../../spec/endpoints.ts";
import { FAULT_EFFECTS, type FaultEffect } from "./fault-effects.ts";
import type { FaultSupply } from "./faults.ts";

/**
 * Lets the next fault of an endpoint come between a call and its effect, or between its effect and its
 * answer. One that spoils an answer waits for a call that the service did not turn away.
 */
export async function withFaults(
  faults: FaultSupply,
  endpoint: EndpointName,
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const { instead } = effectOfNext(faults, endpoint);
  if (instead) {
    faults.use(endpoint);
    return instead(request);
  }

  const answered = await answer();
  // Looked at only now: another call may have used it up meanwhile.
  const { afterwards } = effectOfNext(faults, endpoint);
  if (!answered.ok || !afterwards) return answered;
  faults.use(endpoint);
  return afterwards(answered, request);
}

function effectOfNext(faults: FaultSupply, endpoint: EndpointName): Partial<FaultEffect> {
  const next = faults.next(endpoint);
  return next ? FAULT_EFFECTS[next.kind] : {};
}
