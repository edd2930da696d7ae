import { endpoints, PUBLIC_KEY_PARAMETER, type ServiceEndpointName } from "../../../spec/endpoints.ts";
import type { SandboxRequest } from "../../requests/request-log.ts";

type Sent = Pick<SandboxRequest, "method" | "path" | "requestBody" | "endpoint">;

/**
 * A command for a POSIX shell that sends a request again. The keys are variables of the environment; other redacted
 * values have to be filled in.
 *
 * The request can be from any website, and a terminal runs control characters that are pasted: it edits the line, or
 * starts it. So the command is printable ASCII, except for its own line breaks.
 *
 * @param basePath path of the base URL, such as `/pay`; empty if it has none.
 */
export function toCurl({ method, path, requestBody, endpoint }: Sent, basePath: string): string {
  const hasBody = requestBody !== "";
  const relativePath = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  const parts = [`curl "$PAYMENTS_BASE_URL${quotePath(relativePath)}"`];
  if (method !== (hasBody ? "POST" : "GET")) parts.push(`-X ${quote(method)}`);
  if (authOf(endpoint) === "basic") parts.push('-u "$PAYMENTS_SECRET_KEY:$PAYMENTS_PUBLIC_KEY"');
  if (hasBody) parts.push("-H 'content-type: application/json'", `--data-raw ${quoteJson(requestBody)}`);
  return parts.join(" \\\n  ");
}

function authOf(name: ServiceEndpointName | undefined): string {
  return Object.values(endpoints).find((endpoint) => endpoint.name === name)?.auth ?? "none";
}

/** Leaves only what has no meaning within double quotes, in the history of a shell, and in the patterns of curl's URLs. */
function quotePath(path: string): string {
  const escaped = path.replace(/[^\w~/?&=%:,@+.-]+/g, (characters) =>
    Array.from(new TextEncoder().encode(characters), (byte) => `%${toHex(byte, 2)}`).join(""),
  );
  const key = new RegExp(`([?&]${PUBLIC_KEY_PARAMETER}=)[^&]*`);
  return escaped.replace(key, (_whole, name: string) => `${name}$PAYMENTS_PUBLIC_KEY`);
}

/** A body in the log is JSON, or the ASCII text that replaces it. The shell's history may expand `!` even in quotes. */
function quoteJson(body: string): string {
  return quote(body.replace(/[^ -~]|['!]/g, (character) => `\\u${toHex(character.charCodeAt(0), 4)}`));
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
