import { parseUrl } from "../../data/texts.ts";

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
export function ipProblem(ip: string): string | undefined {
  const address = parseAddress(ip);
  if (address === undefined) return NOT_AN_ADDRESS;
  const isOwn = NOT_PUBLIC_V4.test(address) || NOT_PUBLIC_V6.test(address) || ownAddresses().has(address);
  return isOwn ? NOT_THE_BUYERS : undefined;
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
    const bytes = [high, low]
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 255]);
    return bytes.join(".");
  }
  return host?.startsWith("[") || host === ip ? host : undefined; // a URL reads 010.0.0.1 as octal
}

/** What the global object has on Node and Bun. */
interface Server {
  readonly Deno?: object;
  readonly process?: {
    getBuiltinModule?(name: "node:os"): {
      networkInterfaces(): Record<string, readonly { readonly address: string }[] | undefined>;
    };
  };
}

let own: ReadonlySet<string> | undefined;

/** The addresses of this machine, read once per process. Empty on Deno, which would ask its user for a permission. */
function ownAddresses(): ReadonlySet<string> {
  own ??= new Set(readOwnAddresses());
  return own;
}

function readOwnAddresses(): string[] {
  const { Deno, process } = globalThis as Server;
  if (Deno !== undefined) return [];
  try {
    const interfaces = Object.values(process?.getBuiltinModule?.("node:os").networkInterfaces() ?? {});
    return interfaces.flat().flatMap((entry) => parseAddress(entry?.address ?? "") ?? []);
  } catch {
    return []; // a runtime without it
  }
}
