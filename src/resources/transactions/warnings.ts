import { isLoopbackHost } from "../../data/url.ts";
import { PIX_EXPIRY_DAYS, POSTBACK_URL_CHARACTERS } from "../../spec/limits.ts";
import type { TransactionRequest } from "./request.ts";

/** Something that is sent as it is, although it may not be what the caller meant. */
export interface RequestWarning {
  readonly field: string;
  readonly message: string;
}

/** What the caller should know about a request that is valid. */
export function warningsFor(request: TransactionRequest): RequestWarning[] {
  return [
    ...documentWarnings(request.customer.document.number),
    ...itemWarnings(request),
    ...postbackWarnings(request.postbackUrl),
    ...metadataWarnings(request.metadata),
    ...expiryWarnings(request),
  ];
}

function documentWarnings(number: string): RequestWarning[] {
  if (/^\d+$/.test(number)) return [];
  const message = "has letters, which are valid since July 2026, but the specification says digits only";
  return [{ field: "customer.document.number", message }];
}

function itemWarnings({ items, amount }: TransactionRequest): RequestWarning[] {
  if (items === undefined || items.length === 0) return [];
  const total = items.reduce((sum, item) => sum + BigInt(item.unitPrice) * BigInt(item.quantity), 0n);
  return total === BigInt(amount)
    ? []
    : [{ field: "items", message: `add up to ${total}, not to ${amount}` }];
}

function postbackWarnings(postbackUrl: string | undefined): RequestWarning[] {
  if (postbackUrl === undefined) return [];
  const { hostname, protocol, href } = new URL(postbackUrl);
  const messages: string[] = [];
  if (isLoopbackHost(hostname)) messages.push("is a loopback address, which the service cannot reach");
  else if (protocol === "http:") messages.push("is http, so anybody on the way can read it");
  const { length } = href; // as it is sent: what is beyond ASCII takes more
  if (length > POSTBACK_URL_CHARACTERS.common) {
    messages.push(
      `has ${length} characters; above ${POSTBACK_URL_CHARACTERS.common} a service may not keep all of them`,
    );
  }
  return messages.map((message) => ({ field: "postbackUrl", message }));
}

function metadataWarnings(metadata: string | undefined): RequestWarning[] {
  if (metadata === undefined) return [];
  try {
    JSON.parse(metadata);
    return [];
  } catch {
    return [{ field: "metadata", message: "is a string that is not JSON; it is sent as it is" }];
  }
}

function expiryWarnings(request: TransactionRequest): RequestWarning[] {
  const days = request.paymentMethod === "pix" ? request.pix?.expiresInDays : undefined;
  if (days === undefined || days <= PIX_EXPIRY_DAYS.max) return [];
  return [
    { field: "pix.expiresInDays", message: `is lowered by the service to ${PIX_EXPIRY_DAYS.max} days` },
  ];
}
