import { Missing } from "./row.ts";

/** What npm says where it reaches no registry, or a package has no form for this platform. */
const CANNOT_BE_HAD =
  /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|EBADPLATFORM)\b/;

/** What a registry says that was reached: no such version, no such package. That is a mistake of ours. */
const DOES_NOT_EXIST = /\b(?:ETARGET|E404)\b/;

/** A failure of npm: {@link Missing} where this machine cannot have what was asked for. */
export function npmFailure(what: string, output: string): Error {
  const isMissing = CANNOT_BE_HAD.test(output) && !DOES_NOT_EXIST.test(output);
  const said = `npm cannot bring ${what}: ${reasonIn(output)}`;
  return isMissing ? new Missing(said) : new Error(said);
}

/** What npm says, without the place of its log. */
function reasonIn(output: string): string {
  const lines = output.split("\n").filter((line) => /^npm (?:error|ERR!)/.test(line));
  const said = lines.map((line) => line.replace(/^npm (?:error|ERR!) ?/, "").trim());
  return (
    said
      .filter((line) => line !== "" && !/complete log|-debug-/.test(line))
      .slice(0, 2)
      .join("; ") || output.trim()
  );
}
