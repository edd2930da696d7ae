import type { Answer } from "./answer.ts";
import type { DirectAnswer } from "./direct-transport.ts";
import { requestIdOf } from "./request-id.ts";

/** What a transport of ours read, its headers an object only where somebody looks at them. */
export class DirectlyReadAnswer implements Answer {
  readonly status: number;
  readonly text: string;
  readonly cut: boolean;
  readonly redirected = false;
  readonly closeConnection: () => void;
  readonly #rawHeaders: readonly string[];
  #headers: Headers | undefined;

  constructor({ status, rawHeaders, text, cut, closeConnection }: DirectAnswer) {
    this.status = status;
    this.text = text;
    this.cut = cut;
    this.closeConnection = closeConnection;
    this.#rawHeaders = rawHeaders;
  }

  get headers(): Headers {
    this.#headers ??= headersFrom(this.#rawHeaders);
    return this.#headers;
  }

  get requestId(): string | undefined {
    return requestIdOf((name) => joined(this.#rawHeaders, name));
  }
}

/** All values of a name, as `Headers` gives them. */
function joined(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== name) continue;
    value = value === undefined ? rawHeaders[at + 1] : `${value}, ${rawHeaders[at + 1]}`;
  }
  return value;
}

function headersFrom(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    try {
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    } catch {
      // Not one that `Headers` can hold, which is no reason to lose the answer.
    }
  }
  return headers;
}
