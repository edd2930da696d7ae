/** As it was when the package was loaded: a tool that replaces it later may send more than once. */
const ORIGINAL = globalThis.fetch;

/** Where undici, which is Node's fetch, keeps what sends its requests. */
const DISPATCHERS = [
  Symbol.for("undici.globalDispatcher.1"),
  Symbol.for("undici.globalDispatcher.2"),
] as const;

/**
 * Those of undici that send a request once; a `RetryAgent`, for one, does not. Node 26 keeps its agent under the
 * second name, and a wrapper of it under the first.
 */
const PLAIN_DISPATCHERS: ReadonlySet<string> = new Set([
  "Agent",
  "Dispatcher1Wrapper",
  "EnvHttpProxyAgent",
  "ProxyAgent",
]);

interface Dispatcher {
  readonly constructor: { readonly name: string; readonly prototype: { readonly dispatch?: unknown } };
  readonly dispatch?: unknown;
}

/** Whether a function is the `fetch` that Node brings: its source names what it calls, that of a tool does not. */
export function isNodesFetch(fetch: unknown): boolean {
  return String(fetch).includes("internal/deps/undici");
}

const { Bun, Deno, process } = globalThis as {
  Bun?: object;
  Deno?: object;
  process?: { readonly versions?: { readonly node?: string } };
};
const isNode = Bun === undefined && Deno === undefined && process?.versions?.node !== undefined;

/** Whether a request goes out by the platform's own fetch, so that its failures prove what they say. */
export function isPlatformFetch(): boolean {
  if (isNode && !isNodesFetch(ORIGINAL)) return false; // a tool was here before the package
  return globalThis.fetch === ORIGINAL && DISPATCHERS.every((name) => isPlain(Reflect.get(globalThis, name)));
}

function isPlain(dispatcher: Dispatcher | undefined): boolean {
  if (dispatcher === undefined) return true;
  const { name, prototype } = dispatcher.constructor;
  // `compose` puts interceptors in front of an agent by giving it another `dispatch`.
  return PLAIN_DISPATCHERS.has(name) && dispatcher.dispatch === prototype.dispatch;
}
