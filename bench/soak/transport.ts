import type { FetchLike } from "payments-sdk";
import type { Way } from "./plan.ts";

/** `undefined` for the client's own. */
export async function transportOf(name: Way["transport"]): Promise<FetchLike | undefined> {
  if (name === "default") return undefined;
  const { nodeTransport } = await import("payments-sdk/node");
  return nodeTransport();
}
