import { isRecord, own } from "../../data/own.ts";
import { isLoopbackHost, isLoopbackUrl } from "../../data/texts.ts";
import type { Call, Config } from "../../http/call.ts";
import { PIX_EXPIRY_DAYS, POSTBACK_URL_CHARACTERS } from "../../spec/limits.ts";
import { isCnpj, isCpf } from "../../spec/tax-id.ts";
import { CONTESTED_PIX_FIELDS } from "../../spec/values.ts";
import { ipProblem } from "./buyer-ip.ts";
import type { TransactionRequest } from "./request.ts";

/** The specification does not state what the service posts to the global URL. */
const NO_POSTBACK_URL = "is missing: your server may not be notified when this pix is paid";

/** Emits a warning for each value that is valid but may be a mistake. */
export function warnAboutRequest(call: Call, request: TransactionRequest): void {
  const { amount, customer, ip, items = [], metadata, postbackUrl } = request;
  warnAboutDocument(call, customer.document);
  if (ip !== undefined) warnAboutIp(call, ip);
  const total = items.reduce((sum, item) => sum + BigInt(item.unitPrice) * BigInt(item.quantity), 0n);
  if (items.length > 0 && total !== BigInt(amount))
    call.warn("items", `add up to ${total}, not to ${amount}`);
  if (postbackUrl !== undefined) warnAboutPostbackUrl(call, postbackUrl);
  else if (request.paymentMethod === "pix") call.warn("postbackUrl", NO_POSTBACK_URL);
  if (request.paymentMethod === "pix") warnAboutPixFields(call, request);
  if (metadata !== undefined && !isJson(metadata)) {
    call.warn("metadata", "is a string that is not JSON; it is sent unchanged");
  }
  const days = request.paymentMethod === "pix" ? request.pix?.expiresInDays : undefined;
  if (days !== undefined && days > PIX_EXPIRY_DAYS.max) {
    call.warn(
      "pix.expiresInDays",
      `is above the maximum: the service lowers it to ${PIX_EXPIRY_DAYS.max} days`,
    );
  }
}

const warned = new WeakMap<Config, Set<string>>();

/** Warns once per client and set of fields: a shop sends the same fields with every payment. */
function warnAboutPixFields(call: Call, request: TransactionRequest): void {
  const missing = CONTESTED_PIX_FIELDS.filter((path) => valueAt(request, path) === undefined).join(", ");
  const sets = warned.get(call.config) ?? new Set();
  if (missing === "" || sets.has(missing)) return;
  warned.set(call.config, sets.add(missing));
  call.warn(
    "pix",
    `has no ${missing}: optional in the pix guide, but required in the endpoint's table, so the service may respond ` +
      'with 400. To test this, use createGateway({ pixFields: "endpoint" })',
  );
}

function valueAt(request: unknown, path: string): unknown {
  return path.split(".").reduce((value, name) => (isRecord(value) ? own(value, name) : undefined), request);
}

function warnAboutDocument(call: Call, { type, number }: TransactionRequest["customer"]["document"]): void {
  const field = "customer.document.number";
  if (!/^\d+$/.test(number)) {
    call.warn(field, "has letters: valid since July 2026, but the specification allows only digits");
  }
  const isValid = type === "cpf" ? isCpf(number) : isCnpj(number);
  if (!isValid) call.warn(field, `is not a valid ${type.toUpperCase()}: it may be mistyped`);
}

/** With a sandbox on this machine, the buyer is on it, too. */
function warnAboutIp(call: Call, ip: string): void {
  if (call.config.onEvent === undefined || isLoopbackUrl(call.config.baseUrl)) return;
  const problem = ipProblem(ip);
  if (problem !== undefined) call.warn("ip", problem);
}

function warnAboutPostbackUrl(call: Call, postbackUrl: string): void {
  const { hostname, protocol, href } = new URL(postbackUrl);
  if (isLoopbackHost(hostname)) {
    // A sandbox on this machine reaches it.
    if (!isLoopbackUrl(call.config.baseUrl))
      call.warn("postbackUrl", "is a loopback address, which the service cannot reach");
  } else if (protocol === "http:")
    call.warn("postbackUrl", "is http, so others on the network can read the postbacks");
  const { common } = POSTBACK_URL_CHARACTERS;
  const { length } = href; // as it is sent: characters beyond ASCII become longer
  if (length > common) {
    call.warn("postbackUrl", `has ${length} characters; a service may cut off URLs above ${common}`);
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
