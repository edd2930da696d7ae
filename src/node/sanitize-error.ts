/**
 * Copies what is safe to show. Node's errors contain addresses, options and received bytes, and a response may repeat
 * what was sent.
 */
export function sanitizeError(error: unknown): Error {
  const { name, message, code, syscall } = readFacts(error);
  const copy = new Error(typeof message === "string" ? withoutProxyUrl(message, code) : "");
  if (typeof name === "string") copy.name = name;
  // The frames are inside Node, and a stack can repeat the original message.
  copy.stack = `${copy.name}: ${copy.message}`;
  if (typeof code === "string") Object.assign(copy, { code });
  if (typeof syscall === "string") Object.assign(copy, { syscall });
  return copy;
}

/** Node repeats the URL of a proxy, which may contain a password. */
function withoutProxyUrl(message: string, code: unknown): string {
  if (typeof code !== "string" || !code.startsWith("ERR_PROXY_")) return message;
  const status = /HTTP\/1\.[01] \d{3}/.exec(message)?.[0];
  return status === undefined
    ? "the proxy did not open a tunnel"
    : `the proxy did not open a tunnel: ${status}`;
}

type Facts = Partial<Record<"name" | "message" | "code" | "syscall", unknown>>;

function readFacts(error: unknown): Facts {
  if (!(error instanceof AggregateError)) return Object(error) as Facts;
  // A host with several addresses: Node reports the failures of all of them together.
  const [first] = error.errors as Facts[];
  const isShared = error.errors.every((one: Facts) => one.syscall === first?.syscall);
  return {
    ...first,
    name: "Error",
    code: Reflect.get(error, "code"),
    syscall: isShared ? first?.syscall : undefined,
  };
}
