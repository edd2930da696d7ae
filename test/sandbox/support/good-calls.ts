import type { Fault, Gateway } from "payments-sdk/sandbox";
import { aCard, aPix, basic } from "./wire.ts";

/** An endpoint by the name that faults know it by. */
export type EndpointName = Fault["on"];

type Keys = Pick<Gateway, "baseUrl" | "secretKey" | "publicKey">;

/** A call of each endpoint that succeeds, as typed in from the specification. */
const GOOD_CALLS: Record<EndpointName, { readonly path: string; readonly body?: object }> = {
  "transactions.create": { path: "/api/v1/transactions", body: aPix() },
  "cardTokens.create": { path: "/api/v1/card-token", body: aCard() },
  "company.retrieve": { path: "/api/v1/company" },
  "status.retrieve": { path: "/api/v1/status" },
  "sellers.list": { path: "/sellers" },
  "sellers.revenue": { path: "/sellers/revenue" },
};

/** A request that the endpoint answers with success. */
export function goodRequest(on: EndpointName, keys: Keys, init: RequestInit = {}): Request {
  const { path, body } = GOOD_CALLS[on];
  const url = new URL(`${keys.baseUrl}${path}`);
  const headers = new Headers();
  if (on === "cardTokens.create") url.searchParams.set("publicKey", keys.publicKey);
  else if (on !== "status.retrieve") headers.set("authorization", authorizationOf(keys));
  return new Request(url, {
    headers,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
    ...init,
  });
}

function authorizationOf({ secretKey, publicKey }: Keys): string {
  return basic(secretKey, publicKey)["authorization"] ?? "";
}

/** What a caller sees of an answer. */
export interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly retryAfter: string | null;
  readonly text: string;
}

export async function seen(response: Response): Promise<Seen> {
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    location: response.headers.get("location"),
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
}

/** The code of a broken connection, as `fetch` rejects with it. */
export async function codeOf(call: Promise<Response>): Promise<string> {
  try {
    return `answered ${(await call).status}`;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code ?? String(error);
  }
}

/** Reads an answer until it has as many bytes; what it then holds, and the reader for what follows. */
export async function firstBytes(response: Response, length: number) {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let bytes = Buffer.alloc(0);
  while (bytes.length < length) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes = Buffer.concat([bytes, value]);
  }
  return { text: bytes.toString("utf8"), reader };
}
