/// <reference types="node" />
import type { IncomingMessage } from "node:http";
import { failure } from "../service-responses.ts";

/** A name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Creates a check of the `Host` header for every request.
 *
 * An attacker can point the DNS name of a web page to this machine (DNS rebinding). For the browser, that page and
 * the sandbox then have the same origin: the page could create transactions, and have postbacks sent to any URL.
 * But the requests of the page still contain its own name. IP addresses, `localhost` and `*.localhost` cannot be
 * pointed to another machine, so they are always allowed.
 *
 * @param knownHosts the host that the server listens on and that of the base URL, as in a URL.
 * @returns a function that returns a 403 for a request with any other name, otherwise `undefined`.
 */
export function createHostCheck(
  knownHosts: readonly string[],
): (incoming: IncomingMessage) => Response | undefined {
  const knownNames = new Set(knownHosts.map(toHostname));

  return ({ headersDistinct: { host: hosts = [] } }) => {
    const [host = "", ...others] = hosts;
    if (host === "" || others.length > 0) return failure(403, "The request needs one Host header.");
    const name = toHostname(host);
    if (name !== undefined && (isFixedName(name) || knownNames.has(name))) return undefined;
    return failure(
      403,
      "The sandbox does not accept this Host name. " +
        "If the name is correct, set it with the option baseUrl, or --base-url on the command line.",
    );
  };
}

/** Lower case, without port; without the trailing dot, which marks the same name as absolute. */
function toHostname(host: string): string | undefined {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, "");
}

/** Whether no DNS server can point the name to another machine. */
function isFixedName(name: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(name) || name.startsWith("[") || /(?:^|\.)localhost$/.test(name);
}
