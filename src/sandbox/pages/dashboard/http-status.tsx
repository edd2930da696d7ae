import type { RequestSummary } from "../../control/views.ts";
import { choose } from "../shared/language.ts";

const texts = choose({
  en: { inFlight: "in flight", none: "no response" },
  pt: { inFlight: "em andamento", none: "sem resposta" },
});

/** The names of the statuses that the sandbox sends. */
const NAMES: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Payload Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
};

type Progress = Pick<RequestSummary, "status" | "durationMs">;

/** A request without a response is in flight until it has a duration. */
export function isInFlight({ status, durationMs }: Progress): boolean {
  return status === undefined && durationMs === undefined;
}

/** The HTTP status of a response in words; the colour carries no additional information. */
export function HttpStatus({ request }: { readonly request: Progress }) {
  const { status } = request;
  if (isInFlight(request)) return <span class="badge http-none">{texts.inFlight}</span>;
  if (status === undefined) return <span class="badge http-4xx">{texts.none}</span>;
  return (
    <span class={`badge http-${String(status)[0]}xx`}>
      {status} {NAMES[status]}
    </span>
  );
}
