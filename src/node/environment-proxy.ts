/// <reference types="node" />
import { http, https } from "./send-request.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the process was started with Node's support of proxies. */
const IS_ENABLED = process.env["NODE_USE_ENV_PROXY"] === "1" || process.execArgv.includes("--use-env-proxy");

/** The problem with a URL to which Node itself would send through a proxy; `undefined` if there is none. */
export function findProxyProblem(url: string): string | undefined {
  const { globalAgent } = url.startsWith("https:") ? https : http;
  // It also shows `NODE_OPTIONS` and `http.setGlobalProxyFromEnv`. An agent of a tool may have no options.
  const { proxyEnv } = (globalAgent as { options?: { proxyEnv?: Variables } }).options ?? {};
  const variables = proxyEnv ?? (IS_ENABLED ? process.env : undefined);
  if (variables === undefined || !URL.canParse(url) || !usesProxy(variables, new URL(url))) return undefined;
  return (
    "nodeTransport does not use proxies, and the environment configures one for this host. " +
    "Use the platform's `fetch`, by leaving out the option `fetch`, or add the host to NO_PROXY."
  );
}

/** In doubt it does: Node also accepts ranges of addresses in NO_PROXY. */
function usesProxy(variables: Variables, { protocol, hostname, port }: URL): boolean {
  const read = (name: string) => variables[name] || variables[name.toUpperCase()] || "";
  if (read(`${protocol.slice(0, -1)}_proxy`) === "") return false;
  const host = hostname.replace(/^\[|\]$/g, "");
  const hostAndPort = `${host}:${port || (protocol === "https:" ? 443 : 80)}`;
  const isExcluded = (entry: string) =>
    ["*", host, hostAndPort].includes(entry) ||
    (entry.startsWith(".") && `.${host}`.endsWith(entry)) ||
    (entry.startsWith("*.") && host.endsWith(entry.slice(1)));
  return !read("no_proxy")
    .split(",")
    .some((entry) => isExcluded(entry.trim().toLowerCase()));
}
