import { endpoints, PUBLIC_KEY_PARAMETER, type ServiceEndpointName } from "../../../spec/endpoints.ts";
import type { SandboxRequest } from "../../requests/request-log.ts";

type Sent = Pick<SandboxRequest, "method" | "path" | "requestBody" | "endpoint">;

/**
 * A command for a POSIX shell that sends a request again. The keys are variables of the environment; other redacted
 * values have to be filled in.
 *
 * @param basePath path of the base URL, such as `/pay`; empty if it has none.
 */
export function toCurl({ method, path, requestBody, endpoint }: Sent, basePath: string): string {
  const hasBody = requestBody !== "";
  const relativePath = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  const parts = [`curl "$PAYMENTS_BASE_URL${quotePath(relativePath)}"`];
  if (method !== (hasBody ? "POST" : "GET")) parts.push(`-X ${quote(method)}`);
  if (authOf(endpoint) === "basic") parts.push('-u "$PAYMENTS_SECRET_KEY:$PAYMENTS_PUBLIC_KEY"');
  if (hasBody) parts.push("-H 'content-type: application/json'", `--data-raw ${quote(requestBody)}`);
  return parts.join(" \\\n  ");
}

function authOf(name: ServiceEndpointName | undefined): string {
  return Object.values(endpoints).find((endpoint) => endpoint.name === name)?.auth ?? "none";
}

/** Escapes a path within double quotes: for the shell, its history, and the patterns of curl's URLs. */
function quotePath(path: string): string {
  const escaped = path.replace(
    /[\\"$`![\]{}]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const key = new RegExp(`([?&]${PUBLIC_KEY_PARAMETER}=)[^&]*`);
  return escaped.replace(key, (_whole, name: string) => `${name}$PAYMENTS_PUBLIC_KEY`);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
