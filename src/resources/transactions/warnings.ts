import { isLoopbackHost } from "../../data/texts.ts";
import type { Call } from "../../http/call.ts";
import { PIX_EXPIRY_DAYS, POSTBACK_URL_CHARACTERS } from "../../spec/limits.ts";
import type { TransactionRequest } from "./request.ts";

/** Emits a warning for each value that is valid but may be a mistake. */
export function warnAboutRequest(call: Call, request: TransactionRequest): void {
  const { amount, items = [], metadata, postbackUrl } = request;
  if (!/^\d+$/.test(request.customer.document.number)) {
    const message = "has letters, which are valid since July 2026, but the specification says digits only";
    call.warn("customer.document.number", message);
  }
  const total = items.reduce((sum, item) => sum + BigInt(item.unitPrice) * BigInt(item.quantity), 0n);
  if (items.length > 0 && total !== BigInt(amount))
    call.warn("items", `add up to ${total}, not to ${amount}`);
  if (postbackUrl !== undefined) warnAboutPostbackUrl(call, postbackUrl);
  if (metadata !== undefined && !isJson(metadata)) {
    call.warn("metadata", "is a string that is not JSON; it is sent unchanged");
  }
  const days = request.paymentMethod === "pix" ? request.pix?.expiresInDays : undefined;
  if (days !== undefined && days > PIX_EXPIRY_DAYS.max) {
    call.warn("pix.expiresInDays", `is lowered by the service to ${PIX_EXPIRY_DAYS.max} days`);
  }
}

function warnAboutPostbackUrl(call: Call, postbackUrl: string): void {
  const { hostname, protocol, href } = new URL(postbackUrl);
  if (isLoopbackHost(hostname))
    call.warn("postbackUrl", "is a loopback address, which the service cannot reach");
  else if (protocol === "http:") call.warn("postbackUrl", "is http, so others on the network can read it");
  const { common } = POSTBACK_URL_CHARACTERS;
  const { length } = href; // as it is sent: characters beyond ASCII become longer
  if (length > common) {
    call.warn("postbackUrl", `has ${length} characters; above ${common} a service may not keep all of them`);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
