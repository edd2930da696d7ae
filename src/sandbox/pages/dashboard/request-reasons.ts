import { choose } from "../shared/language.ts";

/** The gateway's reasons for refusing a request, or their fixed beginning, see credentials.ts and gateway.ts. */
const reasons = choose<Readonly<Record<string, string>>>({
  en: {},
  pt: {
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
  },
});

/** A reason that is not fixed, such as those of fields, stays as it is, and so does what follows a fixed beginning. */
export function translateRequestReason(reason: string): string {
  const [beginning = "", translated = ""] =
    Object.entries(reasons).find(([english]) => reason.startsWith(english)) ?? [];
  return translated + reason.slice(beginning.length);
}
