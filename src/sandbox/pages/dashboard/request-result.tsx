import type { RequestSummary } from "../../control/views.ts";
import { language, translate, words } from "../shared/translate.ts";

const messages = translate({
  inFlight: ["in flight", "em andamento"],
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
  if (isInFlight(request)) return <span class="badge http-none">{messages.inFlight}</span>;
  if (status === undefined) return <span class="badge http-4xx">{words.noResponse}</span>;
  return (
    <span class={`badge http-${String(status)[0]}xx`}>
      {status} {NAMES[status]}
    </span>
  );
}

/** The gateway's reasons for refusing a request, or their fixed beginning, see check-credentials.ts and gateway.ts. */
const PORTUGUESE_REASONS = {
  "There is no Authorization header.": "Falta o cabeçalho Authorization.",
  "Authorization is not Basic, followed by base64.": "Authorization não é Basic seguido de base64.",
  "The keys are in the wrong order: the secret key is first.":
    "As chaves estão na ordem errada: a chave secreta vem primeiro.",
  "The user name is not the secret key of this sandbox.":
    "O nome de usuário não é a chave secreta deste sandbox.",
  "The password is empty. It must be the public key.": "A senha está vazia. Ela deve ser a chave pública.",
  "The password is not the public key of this sandbox.": "A senha não é a chave pública deste sandbox.",
  "The query has no publicKey.": "Falta publicKey na query.",
  "publicKey is the secret key. It must never leave the backend.":
    "publicKey é a chave secreta. Ela nunca deve sair do backend.",
  "publicKey is not the public key of this sandbox.": "publicKey não é a chave pública deste sandbox.",
  "No endpoint has this path. The paths are": "Nenhum endpoint tem este caminho. Os caminhos são",
  "The body is empty.": "O corpo está vazio.",
  "The body is not JSON": "O corpo não é JSON",
  "The method of this path is GET.": "O método deste caminho é GET.",
  "The method of this path is POST.": "O método deste caminho é POST.",
};

/** Translates the fixed beginning of a reason. The rest stays as it is, and so do all other reasons. */
export function translateRequestReason(reason: string): string {
  if (language === "en") return reason;
  const [beginning = "", translated = ""] =
    Object.entries(PORTUGUESE_REASONS).find(([english]) => reason.startsWith(english)) ?? [];
  return translated + reason.slice(beginning.length);
}
