/**
 * What may be told of a failure. Errors of Node hold addresses, options and bytes that came; the answer may repeat
 * what was sent.
 */
export function sanitizeError(error: unknown): Error {
  const { name, message, code, syscall } = factsOf(error);
  const bare = new Error(typeof message === "string" ? withoutPassword(message, code) : "");
  if (typeof name === "string") bare.name = name;
  // Where it happened is inside Node, and a stack may quote the message at length.
  bare.stack = `${bare.name}: ${bare.message}`;
  if (typeof code === "string") Object.assign(bare, { code });
  if (typeof syscall === "string") Object.assign(bare, { syscall });
  return bare;
}

/** Node repeats the URL of a proxy, which may hold a password. */
function withoutPassword(message: string, code: unknown): string {
  if (typeof code !== "string" || !code.startsWith("ERR_PROXY_")) return message;
  const status = /HTTP\/1\.[01] \d{3}/.exec(message)?.[0];
  return status === undefined ? "the proxy gave no way" : `the proxy gave no way: ${status}`;
}

type Facts = Partial<Record<"name" | "message" | "code" | "syscall", unknown>>;

function factsOf(error: unknown): Facts {
  if (!(error instanceof AggregateError)) return Object(error) as Facts;
  // A name with several addresses: Node gives the failures of all of them together.
  const [first] = error.errors as Facts[];
  const isShared = error.errors.every((one: Facts) => one.syscall === first?.syscall);
  return {
    ...first,
    name: "Error",
    code: Reflect.get(error, "code"),
    syscall: isShared ? first?.syscall : undefined,
  };
}
