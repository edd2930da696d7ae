import type { Fault, Gateway } from "payments-sdk/sandbox";
import { aCard, aPix, basic } from "./wire.ts";

/** Name of an endpoint in faults. */
export type EndpointName = Exclude<Fault["on"], "postbacks">;

type Keys = Pick<Gateway, "baseUrl" | "secretKey" | "publicKey">;

/** A successful call of each endpoint, typed in from the specification. */
const VALID_CALLS: Record<EndpointName, { readonly path: string; readonly body?: object }> = {
  "transactions.create": { path: "/api/v1/transactions", body: aPix() },
  "cardTokens.create": { path: "/api/v1/card-token", body: aCard() },
  "company.retrieve": { path: "/api/v1/company" },
  "status.retrieve": { path: "/api/v1/status" },
  "sellers.list": { path: "/sellers" },
  "sellers.revenue": { path: "/sellers/revenue" },
};

/** A request that succeeds. */
export function validRequest(on: EndpointName, keys: Keys, init: RequestInit = {}): Request {
  const { path, body } = VALID_CALLS[on];
  const url = new URL(`${keys.baseUrl}${path}`);
  if (on === "cardTokens.create") url.searchParams.set("publicKey", keys.publicKey);
  const needsKeys = on !== "cardTokens.create" && on !== "status.retrieve";
  const headers = needsKeys ? basic(keys.secretKey, keys.publicKey) : {};
  return new Request(url, {
    headers,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    ...init,
  });
}

/** The parts of a response that tests compare. */
export async function readResponse(response: Response) {
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    location: response.headers.get("location"),
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
}

export type ReadResponse = Awaited<ReturnType<typeof readResponse>>;

/** The error code of a call that rejects, or its status. */
export async function codeOf(call: Promise<Response>): Promise<string> {
  try {
    return `status ${(await call).status}`;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code ?? String(error);
  }
}
