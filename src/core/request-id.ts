import { REQUEST_ID_HEADERS } from "../spec/answers.ts";

/** The service's own name for a request, from the headers of its answer. */
export function requestIdOf(find: (name: string) => string | undefined): string | undefined {
  for (const name of REQUEST_ID_HEADERS) {
    const value = find(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
