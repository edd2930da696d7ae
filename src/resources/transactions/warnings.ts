import { parseIfJson } from "../../data/json.ts";
import { isRecord, ownProperty } from "../../data/own-properties.ts";
import { isLoopbackUrl, parseUrl } from "../../data/web-url.ts";
import type { Call, Config } from "../../http/call.ts";
import { isCnpj, isCpf } from "../../spec/check-digits.ts";
import { PIX_EXPIRY_DAYS, POSTBACK_URL_CHARACTERS } from "../../spec/limits.ts";
import { CONTESTED_PIX_FIELDS } from "../../spec/values.ts";
import type { TransactionRequest } from "./create-request.ts";

const warned = new WeakMap<Config, Set<string>>();
const { common } = POSTBACK_URL_CHARACTERS;
const { max } = PIX_EXPIRY_DAYS;

/** Emits a warning for each value that is valid but may be a mistake, and for missing fields of a pix. */
export function warnAboutRequest(call: Call, request: TransactionRequest): void {
  const {
    amount,
    customer,
    externalRef = "",
    ip,
    items = [],
    metadata,
    postbackUrl,
    paymentMethod,
  } = request;
  const { type, number } = customer.document;
  const warnIf = (isDue: boolean, field: string, message: string) => isDue && call.warn(field, message);

  warnIf(isConfusable(externalRef), "externalRef", LOOKS_ALIKE);
  const isValid = type === "cpf" ? isCpf(number) : isCnpj(number);
  warnIf(!/^\d+$/.test(number), "customer.document.number", HAS_LETTERS);
  warnIf(!isValid, "customer.document.number", `is not a valid ${type.toUpperCase()}: it may be mistyped`);
  // With a sandbox on this machine, the buyer is on it, too, and the sandbox reaches a loopback address.
  const isLocal = isLoopbackUrl(call.config.baseUrl);
  const ipProblem = ip === undefined || isLocal ? undefined : findIpProblem(ip);
  if (ipProblem !== undefined) call.warn("ip", ipProblem);
  const total = items.reduce((sum, item) => sum + BigInt(item.unitPrice) * BigInt(item.quantity), 0n);
  warnIf(items.length > 0 && total !== BigInt(amount), "items", `add up to ${total}, not to ${amount}`);
  if (postbackUrl !== undefined) {
    const { protocol, href } = new URL(postbackUrl);
    const isLoopback = isLoopbackUrl(postbackUrl);
    warnIf(isLoopback && !isLocal, "postbackUrl", "is a loopback address, which the service cannot reach");
    warnIf(!isLoopback && protocol === "http:", "postbackUrl", IS_HTTP);
    const { length } = href; // as it is sent: characters beyond ASCII become longer
    const isLong = `has ${length} characters; a service may cut off URLs above ${common}`;
    warnIf(length > common, "postbackUrl", isLong);
  }
  const isNoJson = metadata !== undefined && parseIfJson(metadata) === undefined;
  warnIf(isNoJson, "metadata", "is a string that is not JSON; it is sent unchanged");
  if (paymentMethod !== "pix") return;
  // The specification does not state what the service posts to the global URL.
  warnIf(postbackUrl === undefined, "postbackUrl", NO_POSTBACKS);
  const isAboveMax = (request.pix?.expiresInDays ?? 0) > max;
  warnIf(isAboveMax, "pix.expiresInDays", `is above the maximum: the service lowers it to ${max} days`);
  const missing = CONTESTED_PIX_FIELDS.filter((path) => {
    let value: unknown = request;
    for (const name of path.split(".")) value = isRecord(value) ? ownProperty(value, name) : undefined;
    return value === undefined;
  }).join(", ");
  // Once per client and set of fields: a shop sends the same fields with every payment.
  const sets = warned.get(call.config) ?? new Set();
  if (missing === "" || sets.has(missing)) return;
  warned.set(call.config, sets.add(missing));
  call.warn("pix", `has no ${missing}: ${CONTESTED}`);
}

/** Invisible characters, separators other than a space between other characters, and characters that are not in NFC. */
function isConfusable(text: string): boolean {
  return /[\p{DI}\p{Cf}\u2800]|[^\P{Z} ]|^ | $/u.test(text) || text !== text.normalize();
}

const LOOKS_ALIKE =
  "has invisible characters, unusual spaces, or is not in Unicode form NFC: another reference can look the same and be charged too";
const HAS_LETTERS = "has letters: valid since July 2026, but the specification allows only digits";
const IS_HTTP = "is http, so others on the network can read the postbacks";
const NO_POSTBACKS = "is missing: your server may not be notified when this pix is paid";
const CONTESTED =
  "optional in the pix guide, but required in the endpoint's table, so the service may respond with 400. To test this, " +
  'use createGateway({ pixFields: "endpoint" })';
const NOT_AN_ADDRESS =
  "is not a single IP address without a port: of a list such as X-Forwarded-For, send the address that your own proxy added";
const NOT_THE_BUYERS =
  "is an address of this server or of a private network, so anti-fraud may refuse the payment: behind a proxy, send the address that your own proxy adds";

/** Any other character would be another part of the URL in {@link parseAddress}. */
const ADDRESS = /^(?:\d+\.){3}\d+$|^[\da-f.]*:[\da-f:.]*$/i;

/** This network, loopback, private, carrier-grade NAT, link-local, multicast and reserved. RFC 6890. */
const NOT_PUBLIC_V4 =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[345]\d)\./;

/** Unspecified, loopback, unique local, link-local, site-local and multicast. */
const NOT_PUBLIC_V6 = /^\[(?:::1?\]|f[cd]\w\w:|fe[89a-f]\w:|ff\w\w:)/;

/**
 * Why an `ip` cannot be the buyer's; `undefined` if it can. The message does not contain the address, which is personal
 * data.
 */
function findIpProblem(ip: string): string | undefined {
  const address = parseAddress(ip);
  if (address === undefined) return NOT_AN_ADDRESS;
  const isPublic = !NOT_PUBLIC_V4.test(address) && !NOT_PUBLIC_V6.test(address);
  serverAddresses ??= readServerAddresses();
  return isPublic && !serverAddresses.has(address) ? undefined : NOT_THE_BUYERS;
}

/**
 * The address in the one form that a URL has: IPv6 in brackets, and an IPv4 address in IPv6 notation as IPv4: mapped,
 * compatible, or of NAT64.
 */
function parseAddress(ip: string): string | undefined {
  const host = ADDRESS.test(ip)
    ? parseUrl(`http://${ip.includes(":") ? `[${ip}]` : ip}`)?.hostname
    : undefined;
  const [, high, low] = /^\[(?:::(?:ffff:)?|64:ff9b::)(\w+):(\w+)\]$/.exec(host ?? "") ?? [];
  if (high !== undefined && low !== undefined) {
    const groups = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return groups.flatMap((group) => [group >> 8, group & 255]).join(".");
  }
  return host?.startsWith("[") || host === ip ? host : undefined; // a URL reads 010.0.0.1 as octal
}

let serverAddresses: ReadonlySet<string> | undefined;

/** The addresses of this machine. Empty on Deno, which would ask its user for a permission. */
function readServerAddresses(): ReadonlySet<string> {
  const { Deno, process } = globalThis as {
    readonly Deno?: object;
    readonly process?: { getBuiltinModule?(name: "node:os"): { networkInterfaces(): Interfaces } };
  };
  try {
    const os = Deno === undefined ? process?.getBuiltinModule?.("node:os") : undefined;
    const interfaces = Object.values(os?.networkInterfaces() ?? {}).flat();
    return new Set(interfaces.flatMap((entry) => parseAddress(entry?.address ?? "") ?? []));
  } catch {
    return new Set(); // a runtime without it
  }
}

type Interfaces = Record<string, readonly { readonly address: string }[] | undefined>;
