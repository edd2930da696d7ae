/// <reference types="node" />
import type { IncomingMessage } from "node:http";
import { json } from "../answers.ts";

/** A name or an IPv4 address, or an IPv6 address in brackets; then a port. Nothing else of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Creates the check of the `Host` header that stands before everything the server answers.
 *
 * An attacker can point the DNS name of a web page to this machine (DNS rebinding). For the browser, that
 * page and the sandbox are then one site: the page could create transactions, and have postbacks sent to
 * any URL. Its requests still carry its name. An IP address, `localhost` and `*.localhost` cannot be
 * pointed elsewhere, so they are always allowed.
 *
 * @param knownHosts the host that the server listens on and that of the base URL, as in a URL.
 * @returns a function that returns a 403 for a request under any other name, else `undefined`.
 */
export function createHostCheck(
  knownHosts: readonly string[],
): (incoming: IncomingMessage) => Response | undefined {
  const knownNames = new Set(knownHosts.map(toHostname));

  return ({ headersDistinct: { host: hosts = [] } }) => {
    const [host = "", ...others] = hosts;
    if (host === "" || others.length > 0) return forbidden("The request needs one Host header.");
    const name = toHostname(host);
    if (name !== undefined && (isFixedName(name) || knownNames.has(name))) return undefined;
    return forbidden(
      "The sandbox does not answer to this Host name. " +
        "If it is the sandbox's own, set it with the option baseUrl, or --base-url on the command line.",
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

function forbidden(message: string): Response {
  return json({ success: false, message }, 403);
}
