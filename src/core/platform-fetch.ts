/** Whether a function is the `fetch` that Node brings: its source names what it calls, that of a tool does not. */
export function isNodesFetch(fetch: unknown): boolean {
  return String(fetch).includes("internal/deps/undici");
}
