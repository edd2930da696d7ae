import type { OrderRecord } from "../../idempotency.ts";
import { green, red, type Text, yellow } from "../output.ts";

export function colorState(state: OrderRecord["state"]): Text {
  if (state === "unresolved") return red(state);
  return state === "claimed" ? yellow(state) : state;
}

export function colorStatus(status: string): Text {
  if (status === "approved") return green(status);
  return ["chargedback", "refused", "unrecognized"].includes(status) ? red(status) : status;
}
